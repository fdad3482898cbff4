"""Who may talk to the page's server: loopback names, our own origin, holders of this start's token. Pure.

Host is checked against DNS rebinding, Origin and Sec-Fetch-Site against other sites in the same browser. The
token comes in the URL's fragment, which no request carries, and is exchanged for a cookie no site sends.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

HOSTS: Final = ("127.0.0.1", "localhost")


@dataclass(frozen=True, slots=True)
class Guard:
    """The secrets of one start: `token` in the address, `session` in the cookie; neither tells the other."""

    port: int
    token: str
    session: str

    def __repr__(self) -> str:
        return f"Guard({self.port}, secrets hidden)"

    @property
    def cookie(self) -> str:
        """The cookie's name: cookies do not know ports, so that the name must."""
        return f"durak-{self.port}"

    @property
    def address(self) -> str:
        """What is opened in the browser."""
        return f"http://127.0.0.1:{self.port}/#{self.token}"

    def host_allowed(self, host: str | None) -> bool:
        """The Host header names us by a loopback name and the right port."""
        return host in {f"{name}:{self.port}" for name in HOSTS}

    def origin_allowed(self, origin: str | None) -> bool:
        """The Origin header is ours; a request that must have one and has none is refused too."""
        return origin in {f"http://{name}:{self.port}" for name in HOSTS}

    def site_allowed(self, headers: Mapping[str, str]) -> bool:
        """No other site asks, as far as the browser says; an Origin, if there is one, is ours."""
        origin = headers.get("Origin")
        site = headers.get("Sec-Fetch-Site", "none")
        return (origin is None or self.origin_allowed(origin)) and site in {"none", "same-origin"}

    def token_fits(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(errors="backslashreplace"), self.token.encode())

    def session_fits(self, session: str | None) -> bool:
        """A cookie may hold bytes that are no text: they are compared like any other wrong ones."""
        return session is not None and hmac.compare_digest(
            session.encode(errors="backslashreplace"), self.session.encode()
        )

    def headers(self) -> dict[str, str]:
        """Sent with every answer."""
        socket = f"ws://127.0.0.1:{self.port} ws://localhost:{self.port}"
        return {
            "Content-Security-Policy": (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                f"connect-src 'self' {socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
