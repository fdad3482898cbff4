"""A log as a film: every height a frame, hands once published, a verdict; and the one page that holds it."""

from __future__ import annotations

import json
import random
import re

import pytest

from cli.game_peer import GamePeer
from cli.page.bundle import Circle, bundle, one_page
from cli.page.replay import film
from game.actions import RESIGN
from game.course import Course
from game.options import Options
from ledger.log import Log
from tests.memory_store import MemoryStore
from tests.open_deck import NUMBER, OpenDeckSuite
from tests.tables import genesis_of, options_of, seed_of

ENGINE = Course(OpenDeckSuite(), number=NUMBER)


def played(options: Options, *, heights: int = 10_000) -> Log:
    """A game by fixed dice, or its first heights."""
    genesis = genesis_of(options, suite=NUMBER)
    peers = [GamePeer(MemoryStore(genesis, seed_of(f"game {seat}")), ENGINE) for seat in range(options.seats)]
    dice = random.Random(3)
    while peers[0].log.dues and peers[0].log.height < heights:
        for seat, peer in enumerate(peers):
            records = list(peer.advance())
            legal = [action for action in peer.view().legal if action != RESIGN]
            if legal and peer.log.height < heights:
                records.append(peer.decide(dice.choice(legal)))
            for other in peers[:seat] + peers[seat + 1 :]:
                for record in records:
                    other.receive(record)
    return peers[0].log


def unfolded(told) -> list[dict[str, object]]:
    view: dict[str, object] = {}
    frames = []
    for frame in told["frames"]:
        view = view | frame["view"]
        frames.append(view)
    return frames


@pytest.fixture(scope="module", name="log")
def _log() -> Log:
    return played(options_of(deck=24, seats=3))


def test_every_height_is_a_frame_and_a_whole_game_verifies(log):
    told = json.loads(json.dumps(film(log.export(), ENGINE)))
    assert told["verdict"]["code"] == "valid"
    assert told["verdict"]["good"] is True
    frames = unfolded(told)
    assert [frame["height"] for frame in frames] == list(range(log.height + 1))
    assert frames[-1]["stage"] == "over"
    assert frames[-1]["result"]["duraks"] == list(log.state.result.duraks)
    assert [event["event"] for frame in told["frames"] for event in frame["events"]].count("game-over") == 1


def test_published_hands_agree_with_counts_at_every_frame(log):
    frames = [frame for frame in unfolded(film(log.export(), ENGINE)) if frame["hands"]]
    assert len(frames) > 20
    for frame in frames:
        assert [len(hand) for hand in frame["hands"]] == frame["counts"]
        cards = [card for hand in frame["hands"] for card in hand] + list(frame["discard"])
        assert len(cards) == len(set(cards))


def test_unpublished_hands_stay_hidden():
    told = film(played(options_of(deck=24, seats=2, open_after=False)).export(), ENGINE)
    frames = unfolded(told)
    assert all(frame["hands"] is None and frame["hand"] == [] for frame in frames)


def test_an_unfinished_game_is_shown_as_far_as_it_goes():
    told = film(played(options_of(seats=2), heights=25).export(), ENGINE)
    assert told["verdict"]["code"] == "unfinished"
    assert unfolded(told)[-1]["height"] == 25


def test_a_flipped_byte_anywhere_is_never_good(log):
    data = log.export()
    for offset in range(0, len(data), len(data) // 12):
        changed = bytearray(data)
        changed[offset] ^= 1
        assert film(bytes(changed), ENGINE)["verdict"]["good"] is False, offset


@pytest.mark.parametrize("data", [b"", b"\x00", b"garbage" * 100, b"\x9f" * 1000])
def test_garbage_has_a_verdict_and_no_frames(data):
    told = film(data, ENGINE)
    assert told["verdict"]["code"] == "malformed"
    assert told["frames"] == []


def test_modules_come_before_whoever_needs_them():
    sources = {
        "a.js": 'import { one, two as deux } from "./b.js";\n'
        'import * as c from "./c.js";\nf(one, deux, c);\n',
        "b.js": 'import { x } from "./c.js";\nexport const one = x;\nexport async function two() {}\n',
        "c.js": "export class x {}\nconst private_ = 1;\n",
    }
    assert bundle(sources, "a.js") == (
        "const modules = {};\n"
        'modules["c.js"] = (() => {\nclass x {}\nconst private_ = 1;\nreturn { x };\n})();\n'
        'modules["b.js"] = (() => {\nconst { x } = modules["c.js"];\n'
        "const one = x;\nasync function two() {}\n"
        "return { one, two };\n})();\n"
        'const { one, two: deux } = modules["b.js"];\nconst c = modules["c.js"];\nf(one, deux, c);\n'
    )


def test_a_circle_is_refused():
    circle = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(Circle, match=r"a\.js → b\.js → a\.js"):
        bundle(circle, "a.js")


def test_the_one_page_needs_nothing_and_lets_nothing_out(log):
    page = one_page(film(log.export(), ENGINE), "en")
    code = page.split("<script>")[1]
    assert not re.search(r"^(import|export) ", code, re.MULTILINE)
    assert " src=" not in page
    assert "<link" not in page
    assert "script-src 'sha256-" in page
    assert "unsafe" not in page.split("<style>")[0]
    assert page.count("</script>") == 3


def test_a_name_in_the_film_cannot_leave_it(log):
    told = film(log.export(), ENGINE)
    told["frames"][0]["view"]["names"] = ["</script><script>alert(1)</script>", "<!--", "x"]
    page = one_page(told, "en")
    assert page.count("</script>") == 3
    assert "<!--" not in page
