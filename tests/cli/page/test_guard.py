"""Who is let in."""

from __future__ import annotations

import pytest

from cli.page.guard import Guard

GUARD = Guard(8765, "t" * 43, "s" * 43)


def test_only_loopback_names_with_our_port():
    assert GUARD.host_allowed("127.0.0.1:8765")
    assert GUARD.host_allowed("localhost:8765")
    for host in (
        None,
        "",
        "127.0.0.1",
        "127.0.0.1:8766",
        "evil.example:8765",
        "127.0.0.1:8765.evil.example",
        "192.168.1.4:8765",
        "127.0.0.1.evil.example:8765",
        "LOCALHOST.:8765",
    ):
        assert not GUARD.host_allowed(host)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "",
        "http://127.0.0.1:8766",
        "https://127.0.0.1:8765",
        "http://evil.example",
        "http://127.0.0.1:8765.evil.example",
        "file://",
    ],
)
def test_a_foreign_origin_is_refused(origin):
    assert not GUARD.origin_allowed(origin)
    if origin is not None:
        assert not GUARD.site_allowed({"Origin": origin})


def test_other_sites_may_not_even_load_files():
    assert GUARD.site_allowed({})
    assert GUARD.site_allowed({"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8765"})
    assert not GUARD.site_allowed({"Sec-Fetch-Site": "cross-site"})
    assert not GUARD.site_allowed({"Sec-Fetch-Site": "same-site"})


def test_secrets_fit_only_themselves():
    assert GUARD.token_fits("t" * 43)
    assert not GUARD.token_fits("s" * 43)
    assert not GUARD.token_fits("é")
    assert GUARD.session_fits("s" * 43)
    assert not GUARD.session_fits(None)
    assert not GUARD.session_fits("t" * 43)


def test_the_policy_allows_no_inline_code_and_no_other_origin():
    policy = GUARD.headers()["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "*" not in policy
    assert policy.startswith("default-src 'none'")
    assert not any(name.startswith("Access-Control") for name in GUARD.headers())


def test_a_guard_does_not_print_its_secrets():
    assert "ttt" not in repr(GUARD)
    assert "sss" not in repr(GUARD)
