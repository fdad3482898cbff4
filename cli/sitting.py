"""Our person's seat at a table, round after round: asked for, agreed to, given up; and what a host offers.

The lobby (`p2p.host`, `p2p.guest`) says what is possible; here stands what this device does by itself, and
what it leaves to its person. A seed serves one genesis: it waits here until all have agreed.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from cli.seat_request import SEED, SeatRequest
from game.series import previous_of
from ledger.errors import StoreError
from ledger.genesis import SeatRecord
from ledger.identity import certify, game_key
from ledger.level import Status
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import LobbyError, seated, terms_in, terms_of
from p2p.messages import AskSeat

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.keeping import Games
    from cli.presence import Presence
    from cli.succession import Succession
    from cli.wishes import Wishes
    from ledger.genesis import Previous
    from ledger.identity import PublicKey, SigningKey
    from p2p.lobby import GenesisAgreed, GuestAsks
    from p2p.messages import Table
    from p2p.node import Node
    from p2p.reasons import Refusal


class Sitting:
    """One person at the table `node` has a lobby of. `flush` is called after the lobby was asked something.

    `request`: what an earlier start of this device asked for a seat with; `auto_start`: a host begins as soon
    as all are ready; `bot`: our own seat is played by one.
    """

    def __init__(
        self,
        *,
        identity: SigningKey,
        name: str,
        node: Node,
        games: Games,
        succession: Succession,
        wishes: Wishes,
        presence: Presence,
        random: Callable[[int], bytes],
        flush: Callable[[], None],
        request: SeatRequest | None,
        auto_start: bool,
        bot: bool,
    ) -> None:
        self.refused: Refusal | None = None
        """What the host said to what we asked for last."""
        self.asking: list[GuestAsks] = []
        """Who waits for our word at the door."""
        self._identity = identity
        self._name = name
        self._node = node
        self._games = games
        self._succession = succession
        self._wishes = wishes
        self._presence = presence
        self._random = random
        self._flush = flush
        self._request = request
        self._auto_start = auto_start
        self._bot = bot
        self._by_hand = False
        self._asked_to_watch = False
        self._asked_round = 0
        self._seeds: dict[bytes, bytes] = {}

    # what faces decide

    def by_hand(self) -> None:
        """From now on our person says that he agrees and, at the host's, that the game begins."""
        self._by_hand = True

    def sit(self) -> None:
        """Take, or ask for, a seat in the round that is being prepared. Raises `LobbyError`."""
        lobby = self._node.lobby
        assert lobby is not None
        table = lobby.table
        assert table is not None
        self._asked_round = table.round
        self.refused = None
        seed, record = self._new_record()
        if isinstance(lobby, HostLobby):
            lobby.seat_own(record, bot=self._bot)
        elif lobby.host is not None:
            self._games.asked(SeatRequest(lobby.host, seed, AskSeat(table.round, record)))
            lobby.ask_seat(record)
        self._flush()

    def look_on(self) -> None:
        """Ask to watch, and want no seat any more."""
        self._wishes.watches, self._wishes.seat, self.refused = True, False, None
        self._asked_to_watch = False
        self._watch()
        self._flush()

    def ready(self, *, ready: bool) -> None:
        """Agree to the terms shown, or no longer. Raises `LobbyError` where our disk could keep
        no game."""
        if ready and isinstance(self._node.lobby, GuestLobby):
            self._must_have_room()
        self._say_ready(ready=ready)

    def start(self) -> None:
        """The host starts the game. Raises `LobbyError` while somebody is missing or not ready, and where our
        disk could not keep the game: the others must not wait for one that does not exist."""
        assert isinstance(self._node.lobby, HostLobby)
        if _all_agree(self._node.lobby.table):
            self._must_have_room()
        self._node.lobby.start()
        self._flush()

    def rematch(self) -> None:
        """The host prepares another game with the same people, rules and series (R5). Raises `LobbyError`."""
        lobby, game = self._node.lobby, self._succession.game
        assert isinstance(lobby, HostLobby)
        assert game is not None
        if game.log.ended is None or self._succession.next is not None:
            raise LobbyError("lobby.no-game-before")
        genesis = game.genesis
        previous = self._previous(tuple(record.identity_key for record in genesis.seats))
        lobby.next_round(replace(terms_in(genesis), previous=previous))
        self._flush()

    def answer(self, guest: GuestAsks, *, admit: bool) -> None:
        """Our word on who asks to be let in. Raises `LobbyError` if he is gone."""
        lobby = self._node.lobby
        assert isinstance(lobby, HostLobby)
        self.asking.remove(guest)
        if admit:
            lobby.admit(guest.identity)
        else:
            lobby.decline(guest.identity)
        self._flush()

    def show_out(self, identity: PublicKey) -> None:
        """The host takes a seat or a watcher's place back, that of somebody the next game is held for too.
        Raises `LobbyError`."""
        lobby = self._node.lobby
        assert isinstance(lobby, HostLobby)
        self.call_off(identity)
        lobby.remove(identity)
        self._flush()

    def leave(self) -> None:
        """Tell the host that our seat is free. The host's own table just closes."""
        lobby = self._node.lobby
        if isinstance(lobby, GuestLobby):
            if lobby.host in self._presence.here:
                self._games.given_up()
            lobby.leave()
            self._flush()

    # what the lobby reports

    def shown(self, table: Table) -> None:
        """The table stands like this now: do what our person need not be asked about."""
        coming = self._succession.next
        if coming is not None and table.round > coming.round:
            self._succession.drop_next()
        if self._wishes.watches:
            self._watch()
            return
        self._ask_again()
        wants = self._wishes.seat or self._succession.may_deal_ahead
        if table.game is not None or not wants or self.refused is not None:
            return
        mine = next((line for line in table.roster if line.identity == self._identity.public), None)
        if self._asked_round != table.round:
            with contextlib.suppress(LobbyError):
                self.sit()
        elif mine is not None and not mine.ready and self._goes_by_itself(table) and self._has_room():
            with contextlib.suppress(LobbyError):
                self._say_ready(ready=True)
        lobby = self._node.lobby
        if isinstance(lobby, HostLobby):
            self._follow_people(lobby)
            table = lobby.table
            begins = self._auto_start and self._goes_by_itself(table) and _all_agree(table)
            if begins and self._has_room():
                with contextlib.suppress(LobbyError):
                    lobby.start()

    def seed_for(self, agreed: GenesisAgreed) -> bytes | None:
        """The seed behind our record in a genesis, 32 bytes; the others of this round are spent."""
        seed = None
        if agreed.seat is not None:
            seed = self._seeds.pop(agreed.genesis.seats[agreed.seat].game_key, None)
        self._seeds.clear()
        return seed

    def not_agreed(self) -> None:
        """The records of this round are spent: the next table shown is asked with a new one."""
        self._asked_round = 0

    def call_off(self, identity: PublicKey) -> None:
        """Somebody of the prepared game is gone: the host gathers anew while nobody can have begun it."""
        coming = self._succession.next
        hosting = isinstance(self._node.lobby, HostLobby)
        if hosting and coming is not None and coming.has(identity) and not coming.binding:
            self._succession.drop_next()
            with contextlib.suppress(LobbyError):
                self.rematch()

    def prepare_next(self) -> None:
        """The host offers the next game as soon as the last is over, once."""
        lobby, game = self._node.lobby, self._succession.game
        if isinstance(lobby, HostLobby) and game is not None and self._succession.may_deal_ahead:
            running = lobby.genesis
            if running is not None and running.game_id == game.genesis.game_id:
                with contextlib.suppress(LobbyError):
                    self.rematch()

    # inside

    def _say_ready(self, *, ready: bool) -> None:
        if isinstance(self._node.lobby, GuestLobby):
            self._node.lobby.set_ready(ready=ready)
            self._flush()

    def _must_have_room(self) -> None:
        """Raises `LobbyError` where a game could not be kept: its person can mend that and say it again."""
        try:
            self._games.rehearse()
        except StoreError as error:
            raise LobbyError("lobby.not-kept", detail=str(error)) from error

    def _has_room(self) -> bool:
        """Whether a game could be kept; if not, nobody is there to be asked, and that is our trouble."""
        try:
            self._games.rehearse()
        except StoreError as error:
            self._succession.trouble = error
            return False
        return True

    def _ask_again(self) -> None:
        """What an earlier start asked this host for is asked for still, as long as its round lasts."""
        lobby, (request, self._request) = self._node.lobby, (self._request, None)
        if request is None or not isinstance(lobby, GuestLobby) or lobby.host != request.host:
            return
        if lobby.ask_again(request.asked):
            self._asked_round = request.asked.round
            self._seeds[request.asked.record.game_key] = request.seed

    def _watch(self) -> None:
        """Ask to watch, once; the lobby says it again after a lost link."""
        if isinstance(self._node.lobby, GuestLobby) and not self._asked_to_watch and self.refused is None:
            self._asked_to_watch = True
            self._node.lobby.ask_watch(self._name)

    def _goes_by_itself(self, table: Table) -> bool:
        """Whether nobody need be asked: a bot, or what the last game here was agreed with."""
        game = self._succession.game
        return not self._by_hand or (
            game is not None
            and game.genesis.options == table.options
            and tuple(record.identity_key for record in game.genesis.seats) == _people(table)
        )

    def _follow_people(self, lobby: HostLobby) -> None:
        """Who leads and the tally depend on who plays (R4, R5, R31): offer what fits those who sit now."""
        table, people, game = lobby.table, _people(lobby.table), self._succession.game
        if game is None or game.log.ended is None or len(people) != table.seats:
            return
        previous = self._previous(people)
        if table.previous != previous:
            with contextlib.suppress(LobbyError):
                lobby.set_terms(replace(terms_of(table), previous=previous))

    def _previous(self, people: tuple[PublicKey, ...]) -> Previous:
        """What the next game of these people says about this one, which has ended."""
        game = self._succession.game
        assert game is not None
        assert game.log.ended is not None
        halted = game.log.status is Status.HALTED
        return previous_of(game.genesis, game.state, game.log.ended.digest, people=people, halted=halted)

    def _new_record(self) -> tuple[bytes, SeatRecord]:
        """A record for one genesis: a fresh seed, and its game key, certified by our identity."""
        seed, nonce = self._random(SEED), self._random(32)
        key = game_key(seed)
        self._seeds[key.public] = seed
        certificate = certify(self._identity, key.public, nonce)
        return seed, SeatRecord(key.public, self._identity.public, nonce, certificate, self._name)


def _all_agree(table: Table) -> bool:
    """Whether every seat is taken by somebody who is ready."""
    lines = seated(table.roster)
    return len(lines) == table.seats and all(line.ready for line in lines)


def _people(table: Table) -> tuple[PublicKey, ...]:
    """Who sits, in seat order."""
    return tuple(line.identity for line in seated(table.roster))
