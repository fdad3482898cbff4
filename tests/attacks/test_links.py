"""Attacks 44 to 48: strangers, floods, men in the middle, downgrades, a cheating host."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from game import kinds
from game.course import Course
from game.mental_poker import deck as real_suite
from game.options import encode
from game.state import Stage
from ledger.engine import Height, Seat
from ledger.entry import Body, read_record, sign_entry, signed_bytes
from ledger.errors import Unsupported
from ledger.genesis import Genesis
from ledger.identity import SigningKey
from ledger.outcome import Dropped
from ledger.waiting import MAX_ENTRIES
from p2p import session
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import Terms, terms_of
from p2p.loopback import Loopback
from p2p.messages import Entries, Listening, Message, OfferGenesis, Start
from p2p.node import Node
from p2p.pump import Pump
from p2p.reasons import Why
from p2p.session import Door
from p2p.talk import FALSE_SIGNATURES
from tests.attacks.hall import Cheat, Hall
from tests.attacks.recorded import recorded
from tests.desk import Lobby, Room
from tests.tables import identity_of, options_of, seed_of

# -- 44: strangers


class Stranger:
    """A peer without a seat, who keeps everything it hears."""

    def __init__(self, hall: Hall) -> None:
        self.key = SigningKey.from_seed32(seed_of("a stranger"))
        self.node = Node(
            identity=self.key,
            door=Door(open=True),
            random=random.Random("stranger").randbytes,
            lobby=GuestLobby(self.key.public, bytes(32)),
        )
        self.pump = Pump(self.node)
        self.heard: list[Message] = []
        inside = self.node._message

        def listen(link: object, talk: object, message: Message, now: float) -> None:
            self.heard.append(message)
            inside(link, talk, message, now)  # type: ignore[arg-type]

        self.node._message = listen  # type: ignore[method-assign,assignment]
        self.peer = self
        hall.seated.append(self)

    def take(self, event: object) -> None:
        pass


def test_attack_44_a_stranger_gets_nothing_and_is_not_listened_to() -> None:
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    stranger = Stranger(hall)
    hall.loopback.join(stranger.pump, hall.honest[0].pump, hall.now, is_host=True)
    hall.loopback.join(stranger.pump, hall.honest[2].pump, hall.now, is_host=True)
    hall.settle()
    identities = {node.identity for node in (hall.honest[0].node, hall.honest[2].node)}
    assert set(stranger.node.peers()) < identities, "a guest talks to members alone, a host to who knocks"
    true = hall.cheat.sign(*hall.cheat.owed())
    forged = sign_entry(stranger.key, hall.cheat.body(*hall.cheat.owed()))
    for record in (true, forged):
        for peer in stranger.node.peers():
            stranger.node._send(peer, Entries(game.genesis.game_id, (record,), more=False))
    hall.pass_time(10)
    assert all(not seen for seen in hall.outcomes.values())
    assert stranger.heard
    assert not any(isinstance(message, Entries) for message in stranger.heard)
    hall.waits_for(1)
    hall.goes_on()


def test_attack_44_entries_signed_by_a_stranger_cost_whoever_brings_them() -> None:
    """In the name of every seat: never charged to the seat that is named."""
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    stranger = SigningKey.from_seed32(seed_of("a stranger"))
    for times, seat in enumerate((0, 1, 2), 1):
        hall.cheat.send(sign_entry(stranger, replace(hall.cheat.body(*hall.cheat.owed()), seat=Seat(seat))))
        hall.dropped("E_SIG", times=times)
    hall.goes_on()


def test_attack_44_a_seat_nobody_has() -> None:
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    hall.cheat.say(*hall.cheat.owed(), seat=Seat(5))
    hall.dropped("E_SEAT")
    hall.goes_on()


# -- 45: floods


def test_attack_45_forgeries_end_the_link_and_only_that() -> None:
    game = recorded()
    hall = Hall(game, 0)
    cheat = hall.cheat
    record = cheat.sign(*cheat.owed())
    for number in range(FALSE_SIGNATURES + 5):
        cheat.send(record[:-4] + number.to_bytes(4, "big"))
    assert cheat.closed == [Why.FORGED, Why.FORGED]
    for seat in hall.honest:
        drops = [outcome for outcome in hall.outcomes[seat] if isinstance(outcome, Dropped)]
        assert len(drops) == FALSE_SIGNATURES
        assert set(hall.honest[seat].node.peers()) == {hall.honest[2 - seat].node.identity}
    hall.ends = {}
    hall.join(1, 0)
    hall.settle()
    assert cheat.closed[2:] == [Why.FORGED], "banned for a while"
    hall.waits_for(1)
    hall.pass_time(120)
    hall.join(1, 0)
    hall.settle()
    hall.goes_on()


def test_attack_45_ten_thousand_proofs_cost_their_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is a fault, the second the fork; each further one is charged to the link until it is cut."""
    game = recorded()
    hall = Hall(game, game.at(Stage.DEAL))
    cheat = hall.cheat
    cheat.silent()
    kind, (places, tokens, proof) = cheat.owed()
    assert isinstance(proof, bytes)
    checks = 0
    verify = real_suite.verify_tokens

    def counting(*arguments: object) -> None:
        nonlocal checks
        checks += 1
        verify(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(real_suite, "verify_tokens", counting)
        for number in range(200):
            bent = proof[:-2] + number.to_bytes(2, "big")
            cheat.send(cheat.sign(kind, (places, tokens, bent)))
    assert 4 <= checks <= (2 + FALSE_SIGNATURES) * len(hall.honest)
    assert cheat.closed == [Why.FORGED, Why.FORGED]
    for seat in hall.honest:
        assert len(hall.log(seat).entries()) <= len(game.before(hall.first)) + 4
    hall.halted("F_FORK")


def test_attack_45_entries_ahead_fill_a_bounded_room_and_are_not_looked_at() -> None:
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    cheat = hall.cheat
    height = cheat.log.height
    for number in range(200):
        body = cheat.body(kinds.TOKENS, ((1,), bytes(32), number.to_bytes(64, "big")))
        cheat.send(sign_entry(cheat.key, replace(body, height=Height(height + 1 + number % 8))))
        if number % 50 == 49:
            hall.pass_time(1)
    for seat in hall.honest:
        assert 0 < len(hall.log(seat)._waiting) <= MAX_ENTRIES
        assert hall.brought(seat, cheat.node.identity) == 0, "an honest link may be ahead, too"
    hall.waits_for(1)


def test_attack_45_a_flood_of_messages_ends_its_link() -> None:
    hall = Hall(recorded(), 0)
    for talk in hall.cheat.node._talks.values():
        for _ in range(2_500):
            talk._session.send(b"\x81\x01")
    hall.settle()
    assert hall.cheat.closed == [Why.FLOOD, Why.FLOOD]
    hall.waits_for(1)


def test_attack_45_addresses_are_bounded() -> None:
    hall = Hall(recorded(), 0)
    for number in range(50):
        for seat in hall.honest:
            hall.cheat.node._send(
                identity_of(seat).public,
                Listening((f"10.0.0.{number}:4711",)),  # type: ignore[arg-type]
            )
        hall.settle()
    hall.waits_for(1)
    hall.goes_on()


# -- 46: a man in the middle


class Middle:
    """Two pumps that carry datagrams between a guest and a host, and may change one."""

    def __init__(self, room: Room, *, change_at: int = -1) -> None:
        self.change_at = change_at
        self.carried = 0
        self.room = room
        self.guest, _ = room.loopback.join(
            room.seated[1].pump, room.seated[0].pump, room.now, is_host=True, expect=identity_of(0).public
        )
        end = self.guest
        assert end.other is not None
        for side in (end, end.other):
            self._tap(side)

    def _tap(self, end: object) -> None:
        send = end.send  # type: ignore[attr-defined]

        def instead(datagram: bytes, *, urgent: bool) -> None:
            if self.carried == self.change_at:
                datagram = datagram[:-1] + bytes([datagram[-1] ^ 1])
            self.carried += 1
            send(datagram, urgent=urgent)

        end.send = instead  # type: ignore[attr-defined]


def unlinked() -> Room:
    room = Room(options_of())
    room.loopback.cut(room.links[1], room.now)
    room.settle()
    return room


def test_attack_46_a_relay_can_carry_but_not_change() -> None:
    """Every single datagram of the handshake and of the talk after it, one bit changed: the link ends."""
    room = unlinked()
    middle = Middle(room)
    room.settle()
    assert room.seated[1].peer.game is not None
    total = middle.carried
    assert total > 8
    for change_at in range(total):
        room = unlinked()
        middle = Middle(room, change_at=change_at)
        room.settle()
        assert middle.guest.down, change_at
        for seated in room.seated:
            assert seated.peer.game is None or seated.peer.game.log.faults == ()


def test_attack_46_an_eavesdropper_sees_neither_names_nor_keys_nor_entries() -> None:
    """All datagrams between two peers, from the first to a game that is set up."""
    room = unlinked()
    heard: list[bytes] = []
    near, far = room.loopback.join(room.seated[1].pump, room.seated[0].pump, room.now, is_host=True)
    for end in (near, far):

        def listening(datagram: bytes, *, urgent: bool, send: Callable[..., None] = end.send) -> None:
            heard.append(datagram)
            send(datagram, urgent=urgent)

        end.send = listening  # type: ignore[method-assign]
    room.settle()
    game = room.seated[1].peer.game
    assert game is not None
    assert len(game.log.entries()) > 8
    said = b"".join(heard)
    secrets = [b"Player 0", b"Player 1", game.genesis.game_id]
    secrets += [key for record in game.genesis.seats for key in (record.game_key, record.identity_key)]
    secrets += [entry.record[-64:] for entry in game.log.entries()]
    secrets += [entry.record[40:72] for entry in game.log.entries()]
    assert len(said) > sum(len(entry.record) for entry in game.log.entries())
    assert not [secret for secret in secrets if secret in said]


def test_attack_46_who_is_not_the_expected_host_is_hung_up_on() -> None:
    """A middle that shakes hands itself shows another identity."""
    room = unlinked()
    mallory = SigningKey.from_seed32(seed_of("mallory"))
    lobby = HostLobby(mallory.public, Terms(*_terms(room)))
    node = Node(identity=mallory, door=Door(open=True), random=random.Random(46).randbytes, lobby=lobby)
    room.loopback.join(room.seated[1].pump, Pump(node), room.now, is_host=True, expect=identity_of(0).public)
    room.settle()
    assert room.seated[1].peer.presence.closed is Why.OTHER_PEER
    assert room.seated[1].peer.game is None


def _terms(room: Room) -> tuple[bytes, tuple[int, ...], int, int]:
    lobby = room.seated[0].node.lobby
    assert isinstance(lobby, HostLobby)
    table = lobby.table
    return table.rules, table.options, table.suite, table.seats


def test_attack_46_without_the_join_code_nobody_can_be_the_host() -> None:
    """At a private table the code is in the handshake: a middle that lacks it never gets to talk."""
    loopback = Loopback()
    code, guess = seed_of("the code"), seed_of("a guess")
    ends = []
    for number, key in ((1, code), (0, guess)):
        lobby: Lobby = (
            GuestLobby(identity_of(number).public, bytes(32))
            if number
            else HostLobby(identity_of(0).public, Terms(bytes(32), (), 1, 2))
        )
        node = Node(
            identity=identity_of(number),
            door=Door(key),
            random=random.Random(number).randbytes,
            lobby=lobby,
        )
        ends.append(Pump(node))
    near, _ = loopback.join(*ends, 0.0, is_host=True)
    loopback.deliver(0.0)
    assert near.down
    assert all(pump.node.peers() == () for pump in ends)


# -- 47: downgrades


def test_attack_47_the_suite_is_in_the_name_of_the_game() -> None:
    genesis = recorded().genesis
    assert replace(genesis, suite=0).game_id != genesis.game_id
    assert replace(genesis, rules_id=bytes(32)).game_id != genesis.game_id


class Downgrading(Room):
    """The host offers the open deck; the guests are the product and know suite 1 alone."""

    def new_lobby(self, number: int) -> Lobby:
        lobby = super().new_lobby(number)
        if isinstance(lobby, HostLobby):
            lobby.set_terms(replace(terms_of(lobby.table), suite=0))
        return lobby


def test_attack_47_a_table_with_the_open_deck_is_not_played() -> None:
    room = Downgrading(options_of(seats=3), course=Course(real_suite))
    room.settle()
    for number in (1, 2):
        peer = room.seated[number].peer
        assert isinstance(peer.trouble, Unsupported)
        assert peer.game is None


def test_attack_47_another_protocol_version_does_not_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    room = unlinked()
    with monkeypatch.context() as patch:
        patch.setattr(session, "VERSION", 0)
        room.loopback.join(room.seated[1].pump, room.seated[0].pump, room.now, is_host=True)
    room.settle()
    assert room.seated[1].peer.presence.closed is Why.OTHER_VERSION
    assert room.seated[0].peer.game is None


def test_attack_47_an_entry_of_another_version() -> None:
    hall = Hall(recorded(), 0)
    cheat = hall.cheat
    data = bytearray(cheat.body(*cheat.owed()).to_bytes())
    assert data[1] == 1
    data[1] = 2
    cheat.send(cheat.sign_bytes(bytes(data)))
    hall.dropped("E_VERSION")
    hall.goes_on()


# -- 48: a cheating host


def hosted(height: int) -> Hall:
    """Seat 0 cheats; 1 and 2 hear of one another through it alone."""
    hall = Hall(recorded(), height, cheats=(0,), linked=False)
    hall.join(1, 0)
    hall.join(2, 0)
    hall.settle()
    hall.cheat.silent()
    return hall


def test_attack_48_the_host_changes_what_it_carries() -> None:
    """The entry of seat 1 with another card in it: noise, and the host's link pays."""
    game = recorded()
    hall = hosted(game.turn(1, kinds.LEAD))
    hall.act(1)
    true = hall.signed(1)[-1]
    body = true.body
    changed = replace(body, payload=(*body.payload[:-1], None))
    record = sign_entry(hall.cheat.key, changed)[:-64] + true.record[-64:]
    assert read_record(record).seat == 1
    hall.cheat.send(record, to=[2])
    assert hall.outcomes[2][-1] == Dropped("E_SIG", "")
    assert hall.brought(2, hall.cheat.node.identity) == 1
    hall.cheat.send(true.record, to=[2])
    assert hall.log(1).export() == hall.log(2).export()
    hall.nobody_honest_is_named()


def test_attack_48_the_host_signs_in_the_name_of_another_seat() -> None:
    game = recorded()
    hall = hosted(game.turn(1, kinds.LEAD))
    hall.cheat.say(kinds.RESIGN, (), seat=Seat(1))
    for seat in hall.honest:
        assert hall.outcomes[seat][-1] == Dropped("E_SIG", "")
        assert hall.brought(seat, hall.cheat.node.identity) == 1
    hall.waits_for(1)


def test_attack_48_the_host_withholds() -> None:
    """Nobody is blamed, the newest log waits for seat 1, and any other way between the two answers it."""
    game = recorded()
    hall = hosted(game.turn(1, kinds.LEAD))
    hall.act(1)
    hall.pass_time(20)
    assert hall.log(1).height == hall.log(2).height + 1
    assert hall.log(2).waiting_for == (1,)
    hall.join(2, 1)
    hall.pass_time(10)
    assert hall.log(1).export() == hall.log(2).export()
    hall.nobody_honest_is_named()
    hall.secrets_stay()


def test_attack_48_the_host_offers_another_game_than_it_has_shown() -> None:
    room = Room(options_of(seats=3), auto_start=False)
    host = room.seated[0]
    room.settle()
    lobby = host.node.lobby
    assert isinstance(lobby, HostLobby)
    records = tuple(chair.record for chair in lobby._seating.chairs)
    assert None not in records
    other = Genesis(
        lobby.table.rules,
        encode(options_of(seats=3, deck=24)),
        lobby.table.suite,
        records,  # type: ignore[arg-type]
    )
    host.node._send(identity_of(1).public, OfferGenesis(1, other.to_bytes()))
    room.settle()
    host.node._send(identity_of(1).public, Start(other.game_id))
    room.settle()
    assert room.seated[1].peer.game is None


def test_attack_48_two_games_for_two_guests() -> None:
    """Each guest is shown, offered and started a game of its own: neither is ever joined by the other."""
    room = Room(options_of(seats=3), auto_start=False)
    host = room.seated[0]
    room.settle()
    lobby = host.node.lobby
    assert isinstance(lobby, HostLobby)
    shown = lobby.table
    lobby.message = lambda identity, message: None  # type: ignore[method-assign]
    records = tuple(chair.record for chair in lobby._seating.chairs)
    games = []
    for guest, deck in ((1, 36), (2, 52)):
        roster = tuple(replace(line, ready=False) for line in shown.roster)
        table = replace(shown, options=encode(options_of(seats=3, deck=deck)), roster=roster)
        genesis = Genesis(table.rules, table.options, table.suite, records)  # type: ignore[arg-type]
        identity = identity_of(guest).public
        for message in (table, OfferGenesis(1, genesis.to_bytes()), Start(genesis.game_id)):
            host.node._send(identity, message)
            room.settle()
        games.append(genesis.game_id)
    guests = [room.seated[1].peer, room.seated[2].peer]
    assert [peer.game.genesis.game_id for peer in guests if peer.game is not None] == games
    room.loopback.join(room.seated[2].pump, room.seated[1].pump, room.now)
    room.pass_time(20)
    for number, peer in enumerate(guests, 1):
        assert peer.game is not None
        assert peer.game.log.faults == ()
        assert [entry.kind for entry in peer.game.log.entries()] == [kinds.JOIN]
        assert peer.game.log.waiting_for == tuple(seat for seat in range(3) if seat != number)


def test_a_body_of_the_hall_is_signed_as_the_product_signs() -> None:
    """What all forgeries here are measured against."""
    hall = Hall(recorded(), 0)
    cheat: Cheat = hall.cheat
    body: Body = cheat.body(*cheat.owed())
    record = cheat.sign(*cheat.owed())
    assert cheat.sign_bytes(body.to_bytes()) == record
    assert record[-64:] == cheat.key.sign(signed_bytes(body.to_bytes()))
