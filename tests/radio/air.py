"""The air and the controllers on it, with what bumble 0.0.236 gets wrong set right.

Numbers are those of the defects met: (2) data carries the wrong source address, (3) two centrals that
answer one advertisement both believe to be connected, (4) a cancelled dial completes later, (6)
advertising intervals are taken as milliseconds, (7) Linux needs a controller without extended advertising.
(11) connections that cross replace one another, (12) a reset leaves scanner, advertiser and connections as
they were. (5), scan responses that repeat the advertisement, needs nothing here: nobody relies on them.
"""

from __future__ import annotations

import asyncio
from typing import Any

from bumble import controller, hci, link, ll
from bumble.core import PhysicalTransport

SLOT_MS = 0.625
FAILED = hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR
ACL_BYTES = 251
ACL_PACKETS = 12
OVERHEAD_BYTES = 10
"""Of each packet on the air: preamble, access address, header, CRC."""


class Air(link.LocalLink):
    """`rate`: bytes a second that one controller sends and receives, all links together; None is no limit.

    `interval`: the connection interval in seconds; a packet takes half of it to get out.
    """

    def __init__(self, *, rate: float | None = None, interval: float = 0.0) -> None:
        super().__init__()
        self.rate = rate
        self.interval = interval
        self.carried = 0
        """Bytes on the air since the beginning, overhead included."""
        self.abort_next = 0
        """So many connections fail at once, as in a room full of radios."""
        self._free: dict[Any, float] = {}
        self._thaws: dict[Any, float] = {}
        self._through: dict[tuple[Any, Any], float] = {}
        self._last: dict[tuple[Any, Any], float] = {}

    def freeze(self, one: controller.Controller, seconds: float) -> None:
        """Nothing gets in or out of this controller for a while; nobody is told."""
        self._thaws[one] = self._now() + seconds

    def frozen(self, one: controller.Controller | None) -> bool:
        return one is not None and self._thaws.get(one, 0.0) > self._now()

    def reserve(self, sender: controller.Controller, connection: Any, length: int) -> float:
        """Take air time at both ends; returns when the packet is through."""
        receiver = self.find_le_controller(connection.peer_address)
        start = max(self._now(), self._free.get(sender, 0.0), self._free.get(receiver, 0.0))
        thaw = max(self._thaws.get(sender, 0.0), self._thaws.get(receiver, 0.0))
        end = max(start, thaw) + (0.0 if self.rate is None else (length + OVERHEAD_BYTES) / self.rate)
        if thaw <= start:  # who waits for a frozen one goes on talking to others
            self._free[sender] = self._free[receiver] = end
        self._through[sender, receiver] = end
        self.carried += length + OVERHEAD_BYTES
        return end

    def send_acl_data(
        self,
        sender_controller: controller.Controller,
        destination_address: hci.Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is None or receiver is None:
            return
        pair = (sender_controller, receiver)
        at = max(self._through.get(pair, 0.0), self._now()) + self.interval / 2
        at = self._last[pair] = max(at, self._last.get(pair, 0.0) + 1e-6)
        source = connection.self_address  # (2)
        asyncio.get_running_loop().call_at(at, self._deliver, receiver, source, transport, data)

    def send_advertising_pdu(self, sender_controller: controller.Controller, packet: Any) -> None:
        loop = asyncio.get_running_loop()
        if isinstance(packet, ll.ConnectInd):
            loop.call_soon(self._connect, sender_controller, packet)
            return
        if self.frozen(sender_controller):
            return
        for one in self.controllers:
            if one is not sender_controller and not self.frozen(one):
                loop.call_soon(one.on_ll_advertising_pdu, packet)

    def remove_controller(self, one: controller.Controller) -> None:
        """The process behind it is gone."""
        one.le_legacy_advertiser.stop()
        super().remove_controller(one)
        self.cut(one)

    def cut(self, one: controller.Controller) -> None:
        """End all its connections: its peers learn it as a supervision time-out, itself is told nothing."""
        for connection in list(one.le_connections.values()):
            other = self.find_le_controller(connection.peer_address)
            theirs = None if other is None else other.le_connections.get(connection.self_address)
            if other is not None and theirs is not None:
                other.on_le_disconnected(theirs, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
        one.le_connections.clear()
        self._free.pop(one, None)
        for book in (self._last, self._through):
            for pair in [pair for pair in book if one in pair]:
                del book[pair]

    def send_ll_control_pdu(
        self, sender_address: hci.Address, receiver_address: hci.Address, packet: Any
    ) -> None:
        sender, receiver = (self.find_le_controller(a) for a in (sender_address, receiver_address))
        if receiver is not None:
            thaw = max(self._thaws.get(one, 0.0) for one in (sender, receiver))
            call = receiver.on_ll_control_pdu
            asyncio.get_running_loop().call_at(max(self._now(), thaw), call, sender_address, packet)

    def _connect(self, central: controller.Controller, packet: Any) -> None:
        aborted, self.abort_next = self.abort_next > 0, max(0, self.abort_next - 1)
        if not aborted:
            for one in self.controllers:
                if one is not central and self._answers(one, packet):
                    one.on_ll_advertising_pdu(packet)
                    return
        mine = central.le_connections.get(packet.advertiser_address)
        if mine is not None and mine.role == hci.Role.CENTRAL:  # (3)
            central.on_le_disconnected(mine, FAILED)

    def _answers(self, one: controller.Controller, packet: Any) -> bool:
        """Whether this controller takes it. Of two that cross (11) the lower address has its way."""
        advertiser = one.le_legacy_advertiser
        if self.frozen(one) or not advertiser.enabled or advertiser.address != packet.advertiser_address:
            return False
        crossing = one.le_connections.get(packet.initiator_address)
        if crossing is None:
            return True
        if crossing.role != hci.Role.CENTRAL or bytes(packet.initiator_address) > bytes(advertiser.address):
            return False
        one.on_le_disconnected(crossing, FAILED)
        return True

    def _deliver(
        self,
        receiver: controller.Controller,
        source: hci.Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        if source in receiver.le_connections:
            receiver.on_link_acl_data(source, transport, data)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


class _Advertiser(controller.LegacyAdvertiser):
    def _on_timer_fired(self) -> None:
        self.send_advertising_data()
        seconds = max(0.02, self.advertising_interval_min * SLOT_MS / 1000)  # (6)
        self.timer_handle = asyncio.get_running_loop().call_later(seconds, self._on_timer_fired)


class RadioController(controller.Controller):
    """One virtual controller on the air; `on_packet` takes what its host says."""

    acl_data_packet_length = ACL_BYTES
    le_acl_data_packet_length = ACL_BYTES
    total_num_acl_data_packets = ACL_PACKETS
    total_num_le_acl_data_packets = ACL_PACKETS

    def __init__(self, name: str, air: Air, host: Any, address: str) -> None:
        super().__init__(name, host_sink=host, link=air, public_address=address)
        self.air = air
        self.le_legacy_advertiser = _Advertiser(self)
        unsupported = hci.LeFeatureMask.LL_PRIVACY | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
        self.le_features = type(self).le_features & ~unsupported  # (7)

    def on_hci_reset_command(self, _command: hci.HCI_Reset_Command) -> hci.HCI_StatusReturnParameters:
        self.le_scan_enable = False  # (12)
        self.le_legacy_advertiser.stop()
        self.pending_le_connection = None
        self.air.cut(self)
        return super().on_hci_reset_command(_command)

    def on_hci_acl_data_packet(self, packet: hci.HCI_AclDataPacket) -> None:
        connection = self.find_connection_by_handle(packet.connection_handle)
        if connection is None:
            return
        through = self.air.reserve(self, connection, len(packet.data))
        connection.assembler.feed_packet(packet)
        done = hci.HCI_Number_Of_Completed_Packets_Event(
            connection_handles=[connection.handle], num_completed_packets=[1]
        )
        asyncio.get_running_loop().call_at(through, self._completed, connection, done)

    def create_le_connection(self, peer_address: hci.Address) -> None:
        if peer_address not in self.le_connections:
            super().create_le_connection(peer_address)

    def on_hci_le_create_connection_cancel_command(
        self, _command: hci.HCI_LE_Create_Connection_Cancel_Command
    ) -> hci.HCI_StatusReturnParameters:
        pending, self.pending_le_connection = self.pending_le_connection, None  # (4)
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        asyncio.get_running_loop().call_soon(self._cancelled, pending.peer_address)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def _cancelled(self, peer: hci.Address) -> None:
        self.send_hci_packet(
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=peer.address_type,
                peer_address=peer,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            )
        )

    def _completed(self, connection: Any, event: hci.HCI_Packet) -> None:
        if self.le_connections.get(connection.peer_address) is connection:
            self.send_hci_packet(event)
