"""The error tree of the links.

PeerError
 ├ BadMessage         bytes that are no message of ours; neutral, the link that brought them answers for it
 ├ ChannelError       the secure channel cannot go on
 │  ├ HandshakeFailed a handshake message that does not belong here
 │  └ BadTag          a sealed frame that does not open
 └ NetworkError       what a command tells its person; `reason` is a message id, `exit_code` as in DESIGN §7
    ├ PortInUse, BadAddress, BadCode, Unreachable, ConnectionRefused, TimedOut
    ├ NoDiscovery     tables can't be found by themselves here
    ├ Refused         the table said no; `reason` says why
    └ OtherVersion    the other side speaks another version of the protocol
"""

from __future__ import annotations


class PeerError(Exception):
    """Root of everything this package raises on purpose."""


class BadMessage(PeerError):
    """Bytes that are not exactly one well-formed message. The only error the message parser raises."""


class ChannelError(PeerError):
    """Root of what ends a secure channel."""


class HandshakeFailed(ChannelError):
    """A handshake message of the wrong length, order or key. The handshake is over."""


class BadTag(ChannelError):
    """A sealed frame that does not open under the key and counter expected."""


class NetworkError(PeerError):
    """Something a person can do something about. `reason` is a message id, `params` fill its text."""

    reason = "network.failed"
    exit_code = 30

    def __init__(self, reason: str | None = None, **params: object) -> None:
        if reason is not None:
            self.reason = reason
        self.params = params
        super().__init__(self.reason, params)


class PortInUse(NetworkError):
    """Another program listens on the port. `port`."""

    reason = "network.port-in-use"


class BadAddress(NetworkError):
    """An address nobody can dial or listen on. `address`."""

    reason = "network.bad-address"


class BadCode(NetworkError):
    """Something typed that is no join code. `character` and `place`, `length`, or `fingerprint`."""

    reason = "code.length"
    exit_code = 64


class NoDiscovery(NetworkError):
    """Tables can't be found by themselves on this device; addresses and codes still work."""

    reason = "discovery.not-installed"


class Unreachable(NetworkError):
    """No way to the address. `address`."""

    reason = "network.unreachable"


class ConnectionRefused(NetworkError):
    """Nobody listens there. `address`."""

    reason = "network.connection-refused"


class TimedOut(NetworkError):
    """Nobody answered in time. `address`."""

    reason = "network.timed-out"


class Refused(NetworkError):
    """The table, or the peer behind a link, said no; the reason is one of `p2p.reasons`."""

    reason = "refused.declined"


class OtherVersion(NetworkError):
    """`ours` and `theirs` are protocol versions."""

    reason = "network.other-version"
    exit_code = 21
