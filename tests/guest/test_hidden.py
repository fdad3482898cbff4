"""The host relays what it cannot read: its memory, its files, its words and the wire hold no guest's secret.

The guest holds his cards and does not move, so that none of his places is open. Then everything the host has
is searched for the guest's secrets, and for his tokens for his own places, each of which would show a card.
That the search finds what is there is seen by what the host must know.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cli.engine import course
from game import rules
from game.mental_poker import deck
from game.state import CourseState, Stage
from ledger.engine import Seat
from ledger.entry import read_record
from ledger.folder import LOG
from ledger.genesis import Genesis
from ledger.identity import SigningKey, derive, game_key
from ledger.log import Log
from ledger.recovery import recover
from tests.guest.browsing import PATIENCE, PHONE, cards_of, kept, open_guest, sit
from tests.guest.hosted import Hosted, hosted
from tests.guest.memory import files, found, memory
from tests.guest.tap import tapped

pytestmark = [pytest.mark.guest, pytest.mark.browser]


def log_at(host: Hosted) -> Log[CourseState] | None:
    """The game as the host has it on disk now."""
    kept = list(host.home.glob(f"games/*/{LOG}"))
    if not kept:
        return None
    found = recover(kept[0].read_bytes())
    log = Log(course(), found.genesis)
    for entry in found.entries:
        log.receive(entry.record)
    return log


async def waiting_for(host: Hosted, name: str) -> tuple[Log[CourseState], Seat]:
    """The log once play waits for the seat of `name` alone."""
    async with asyncio.timeout(PATIENCE):
        while True:
            log = log_at(host)
            if log is not None and log.state.stage is Stage.PLAY:
                seat = Seat([record.name for record in log.genesis.seats].index(name))
                if log.waiting_for == (seat,):
                    return log, seat
            await asyncio.sleep(0.5)


async def test_no_secret_and_no_unopened_token_of_a_guest_is_anywhere_at_the_host(
    browser: Any, bundle_folder: Path, tmp_path: Path
) -> None:
    async with hosted(tmp_path / "host", bundle_folder, "--seats", "2") as host:
        address = await host.address()
        base, _, fragment = address.partition("/#")
        place = base.removeprefix("http://")
        async with tapped(place.partition(":")[0], int(place.partition(":")[2])) as tap:
            page = await open_guest(
                await browser.new_context(**PHONE), f"http://{place.partition(':')[0]}:{tap.port}/#{fragment}"
            )
            await sit(page, "Boris")
            await cards_of(page)
            log, seat = await waiting_for(host, "Boris")
            own = await kept(page, address)
            (game,) = own["games"]
            assert Genesis.from_bytes(bytes.fromhex(game["genesis"])).game_id == log.genesis.game_id
            seed, identity = bytes.fromhex(game["seed"]), bytes.fromhex(own["identity"])
            assert game_key(seed).public == log.genesis.seats[seat].game_key
            assert SigningKey.from_seed32(identity).public == log.genesis.seats[seat].identity_key
            secrets = secrets_of(log, seat, seed) | {"seed": seed, "identity": identity}
            assert len(secrets) >= 6 + 5
            known = known_of(log, seat)
            pieces = list(memory(host.process.pid))
            assert found(iter(pieces), known) == set(known), "the search finds what is there"
            assert found(iter(pieces), secrets) == set()
            assert found(files(host.home), secrets) == set()
            assert found(iter([bytes(host.heard)]), secrets) == set()
            assert any(len(link) > 3000 for link in tap.links)
            assert found(iter(tap.everything), secrets | known) == set(), "all of it is sealed"
            code = fragment.partition("+")[0].encode()
            assert not any(code in each for each in tap.everything), "what is behind the # reaches no server"
            assert page.errors == []


def secrets_of(log: Log[CourseState], seat: Seat, seed: bytes) -> dict[str, bytes]:
    """All that would show the guest's cards or sign for him, and his tokens for the cards he holds."""
    state, game = log.state, log.genesis.game_id
    x = deck.secret_from(derive(seed, "deck", game, 64))
    secrets = {
        "signing seed": derive(seed, "sign", b"", 32),
        "deck secret": x.to_bytes(32, "little"),
        "deck secret before reduction": derive(seed, "deck", game, 64),
        "proof key": derive(seed, "proof", game, 64),
    }
    places = [
        place
        for place in rules.hand_places(state.the_position, seat)
        if rules.face(state.the_position, place) is None
    ]
    for place in places:
        assert state.tokens[place][seat] is None
        secrets[f"token for {place}"] = bytes(x * state.the_deck.ciphertexts[place].A)
    return secrets


def known_of(log: Log[CourseState], seat: Seat) -> dict[str, bytes]:
    """What the host must know of the guest: his keys, his tokens for the host's cards, his last record."""
    state = log.state
    theirs = rules.hand_places(state.the_position, Seat(1 - seat))
    tokens = {f"token for {place}": state.tokens[place][seat] for place in theirs}
    last = next(record for record in log.records() if read_record(record).seat == seat)
    return {
        "game key": log.genesis.seats[seat].game_key,
        "deck key": state.keys[seat],
        "a record": last[:200],
        **{name: token for name, token in tokens.items() if token is not None},
    }
