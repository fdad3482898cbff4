"""The local server against other hosts, other sites, other people and slow or rude tabs; real sockets."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from urllib.parse import urlsplit

import pytest

pytest.importorskip("aiohttp")

from aiohttp import ClientSession, CookieJar, WSMsgType, WSServerHandshakeError

from cli.own_games import Companion, OwnGames
from cli.page import decode
from cli.page.feed import Situation
from cli.page.server import MOST_INTENTS, PageServer
from game import actions
from game.cards import Place, parse_card
from ledger.engine import Height


@pytest.fixture(name="feed")
def _feed(feed_of, view_of):
    return feed_of(view_of())


@pytest.fixture(name="server")
async def _server(feed):
    server = PageServer(feed)
    await server.start()
    yield server
    await server.stop()


@pytest.fixture(name="browser")
async def _browser(server):
    """A client at our own origin that has not entered yet."""
    base = f"http://127.0.0.1:{server.guard.port}"
    async with ClientSession(base, cookie_jar=CookieJar(unsafe=True), headers={"Origin": base}) as session:
        yield session


async def enter(browser, server) -> None:
    async with browser.post("/enter", data=server.guard.token) as answer:
        assert answer.status == 204


async def messages(socket) -> list[dict[str, object]]:
    return json.loads(await socket.receive_str(timeout=2))


async def test_it_listens_on_loopback_alone(server):
    assert [address[0] for address in server._runner.addresses] == ["127.0.0.1"]


async def test_the_address_carries_the_token_where_no_request_carries_it(server):
    address = urlsplit(server.guard.address)
    assert (address.hostname, address.path, address.query) == ("127.0.0.1", "/", "")
    assert address.fragment == server.guard.token
    assert len(server.guard.token) >= 43


async def test_tokens_differ_from_start_to_start(server, feed):
    other = PageServer(feed)
    await other.start()
    assert other.guard.token != server.guard.token
    assert other.guard.session not in {server.guard.session, other.guard.token}
    await other.stop()


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/texts", "/socket", "/log.durak", "/nothing"])
async def test_a_foreign_host_is_forbidden_everywhere(browser, server, path):
    await enter(browser, server)
    async with browser.get(path, headers={"Host": f"evil.example:{server.guard.port}"}) as answer:
        assert answer.status == 403


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]
)
@pytest.mark.parametrize("path", ["/", "/static/main.js", "/log.durak"])
async def test_a_foreign_site_is_forbidden_everywhere(browser, server, path, headers):
    await enter(browser, server)
    async with browser.get(path, headers=headers) as answer:
        assert answer.status == 403
        assert "Access-Control-Allow-Origin" not in answer.headers


async def test_the_socket_refuses_a_foreign_or_missing_origin(server):
    base = f"http://127.0.0.1:{server.guard.port}"
    cookie = {"Cookie": f"{server.guard.cookie}={server.guard.session}"}
    async with ClientSession(base) as session:
        for headers in (
            {},
            {"Origin": "http://evil.example"},
            {"Origin": "http://127.0.0.1:1"},
            {"Origin": "null"},
        ):
            with pytest.raises(WSServerHandshakeError) as refused:
                await session.ws_connect("/socket", headers=cookie | headers)
            assert refused.value.status == 403


@pytest.mark.parametrize("path", ["/socket", "/entered", "/log.durak", "/case.durakcase", "/stats"])
async def test_without_the_cookie_nothing_private_is_given(browser, path):
    async with browser.get(path) as answer:
        assert answer.status == 401
    async with browser.get(path, headers={"Cookie": "durak=guess"}) as answer:
        assert answer.status == 401


async def test_a_wrong_token_gets_no_cookie(browser, server):
    for guess in ("", "x", server.guard.session, server.guard.token + "x"):
        async with browser.post("/enter", data=guess) as answer:
            assert answer.status == 401
            assert "Set-Cookie" not in answer.headers


async def test_entering_needs_our_origin(server):
    async with (
        ClientSession(f"http://127.0.0.1:{server.guard.port}") as session,
        session.post("/enter", data=server.guard.token) as answer,
    ):
        assert answer.status == 403


async def test_the_cookie_is_strict_and_hidden_from_scripts(browser, server):
    async with browser.post("/enter", data=server.guard.token) as answer:
        cookie = answer.headers["Set-Cookie"]
    assert "SameSite=Strict" in cookie
    assert "HttpOnly" in cookie
    assert server.guard.token not in cookie


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/texts", "/nothing", "/log.durak"])
async def test_every_answer_carries_the_policy(browser, path):
    async with browser.get(path) as answer:
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize(
    "name",
    ["..%2fserver.py", "%2e%2e%2fguard.py", "..\\server.py", "server.py", "index.html%00", "/etc/passwd"],
)
async def test_no_file_but_the_page_is_served(browser, name):
    async with browser.get(f"/static/{name}") as answer:
        assert answer.status == 404


async def test_the_page_has_no_inline_code_and_nothing_from_elsewhere(browser):
    async with browser.get("/") as answer:
        page = await answer.text()
    assert "<script>" not in page
    assert "style=" not in page
    assert " on" not in page.replace(" only", "").replace(" once", "").lower().split("<body")[1].split(">")[0]
    assert "//" not in page.replace("http://www.w3.org", "")


async def test_a_tab_gets_the_table_and_plays(browser, server, feed):
    await enter(browser, server)
    async with browser.ws_connect("/socket") as socket:
        assert [each["type"] for each in await messages(socket)] == [
            "hello",
            "table",
            "view",
            "legal",
            "standing",
            "events",
        ]
        await socket.send_json({"intent": "act", "height": 24, "action": "beat:6:7"})
        await asyncio.sleep(0.05)
    assert feed.acted == [(24, actions.Beat(parse_card("8S"), Place(7), parse_card("TS")))]


async def test_two_tabs_see_the_same_and_play_once(browser, server, feed, view_of):
    await enter(browser, server)
    async with browser.ws_connect("/socket") as first, browser.ws_connect("/socket") as second:
        assert await messages(first) == await messages(second)
        await first.send_json({"intent": "act", "height": 24, "action": "take"})
        await second.send_json({"intent": "act", "height": 24, "action": "take"})
        await asyncio.sleep(0.05)
        assert feed.acted == [(24, actions.TAKE)]
        feed.show(view_of(height=Height(25), legal=(), my_turn=False))
        assert await messages(first) == await messages(second)


async def test_a_standing_intent_outlives_the_tab(browser, server):
    await enter(browser, server)
    async with browser.ws_connect("/socket") as socket:
        await messages(socket)
        await socket.send_json({"intent": "arm", "what": "pass-for-me", "on": False})
        assert (await messages(socket))[0]["passForMe"] is False
    async with browser.ws_connect("/socket") as socket:
        standing = next(each for each in await messages(socket) if each["type"] == "standing")
        assert standing["passForMe"] is False


async def test_a_full_disk_is_told_and_can_be_tried_again(browser, server, feed, caplog):
    feed.fails = True
    await enter(browser, server)
    async with browser.ws_connect("/socket") as socket:
        await messages(socket)
        with caplog.at_level(logging.CRITICAL):
            await socket.send_json({"intent": "act", "height": 24, "action": "take"})
            assert (await messages(socket))[0] == {
                "type": "refused",
                "height": 24,
                "reason": "page.refused.not-signed",
                "params": {},
            }
        feed.fails = False
        await socket.send_json({"intent": "act", "height": 24, "action": "take"})
        await asyncio.sleep(0.05)
    assert feed.acted == [(24, actions.TAKE)]


@pytest.mark.parametrize("rude", ["garbage", "x" * (decode.LONGEST + 1), '{"intent":"act"}'])
async def test_a_tab_that_sends_garbage_is_closed_alone(browser, server, rude):
    await enter(browser, server)
    async with browser.ws_connect("/socket") as polite, browser.ws_connect("/socket") as socket:
        await messages(polite)
        await messages(socket)
        await socket.send_str(rude)
        assert (await socket.receive(timeout=2)).type is WSMsgType.CLOSE
        await polite.send_json({"intent": "why", "ask": 1, "place": 8, "attack": None})
        assert (await messages(polite))[0]["type"] == "why"


async def test_a_flood_closes_the_tab(browser, server):
    await enter(browser, server)
    async with browser.ws_connect("/socket") as socket:
        for _ in range(MOST_INTENTS + 1):
            await socket.send_json({"intent": "rematch", "on": True})
        received = [await socket.receive(timeout=2) for _ in range(2)]
        assert received[-1].type is WSMsgType.CLOSE


async def test_the_log_and_the_case_can_be_saved(browser, server, feed):
    await enter(browser, server)
    async with browser.get("/log.durak") as answer:
        assert await answer.read() == b"the log"
        assert answer.headers["Content-Disposition"] == 'attachment; filename="game.durak"'
    async with browser.get("/case.durakcase") as answer:
        assert answer.status == 404
    feed.case = b"the case"
    async with browser.get("/case.durakcase") as answer:
        assert await answer.read() == b"the case"
    feed.show(situation=Situation("friends", ("linked", "me"), file="0123456789abcdef"))
    for path, ending in (("/log.durak", "durak"), ("/case.durakcase", "durakcase")):
        async with browser.get(path) as answer:
            told = answer.headers["Content-Disposition"]
            assert told == f'attachment; filename="0123456789abcdef.{ending}"'


async def test_a_port_in_use_is_said(server, feed):
    with pytest.raises(OSError, match="in use"):
        await PageServer(feed).start(server.guard.port)


async def test_a_ticket_opens_once(browser, server):
    address = urlsplit(server.ticket())
    assert address.fragment not in {server.guard.token, server.guard.session}
    async with browser.post("/enter", data=address.fragment) as answer:
        assert answer.status == 204
    async with browser.post("/enter", data=address.fragment) as answer:
        assert answer.status == 401


async def test_a_film_is_made_for_the_own_person_only(browser, server):
    async with browser.post("/film", data=b"garbage") as answer:
        assert answer.status == 401
    await enter(browser, server)
    async with browser.post("/film", data=b"garbage", headers={"Origin": "http://evil.example"}) as answer:
        assert answer.status == 403
    async with browser.post("/film", data=b"garbage") as answer:
        told = await answer.json()
    assert told["verdict"]["code"] == "malformed"
    assert told["frames"] == []


async def test_texts_come_in_the_language_asked_for(browser):
    async with browser.get("/texts", headers={"Accept-Language": "xx, en"}) as answer:
        told = await answer.json()
    assert told["language"] == "en"
    assert told["texts"]["page.do.take"] == "Take"


async def test_own_games_are_told_to_their_person_alone(feed):
    companions = {b"k": Companion("Bo\u202eris", games=3, won=2, lost=1)}
    own = OwnGames(games=3, durak=1, places=Counter({2: 1, 1: 1}), companions=companions)
    server = PageServer(feed, own_games=lambda: own)
    await server.start()
    base = f"http://127.0.0.1:{server.guard.port}"
    async with ClientSession(base, cookie_jar=CookieJar(unsafe=True), headers={"Origin": base}) as session:
        async with session.get("/stats") as answer:
            assert answer.status == 401
        await enter(session, server)
        async with session.get("/stats") as answer:
            told = await answer.json()
    await server.stop()
    assert told["places"] == [[1, 1], [2, 1]]
    assert told["companions"] == [{"name": "Boris", "games": 3, "won": 2, "lost": 1}]
