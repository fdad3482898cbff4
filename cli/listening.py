"""How our two HTTP listeners are run: nothing a stranger sends them reaches this terminal or fills the disk.

What is wrong with a request is answered (400) and told to nobody. A mistake of ours is one all the same: it
goes where every mistake goes that nobody waits for (`cli.mishaps.run_loop`).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from aiohttp import ClientError, web
from aiohttp.http_exceptions import HttpProcessingError

THEIRS: Final = (HttpProcessingError, ClientError, web.RequestPayloadError, OSError, TimeoutError)
"""What goes wrong because of what a client sent, or because it went away."""


class _Mistakes(logging.Handler):
    """Passes on our own mistakes and drops the rest."""

    def emit(self, record: logging.LogRecord) -> None:
        error = None if record.exc_info is None else record.exc_info[1]
        if error is not None and not isinstance(error, THEIRS):
            asyncio.get_running_loop().call_exception_handler(
                {"message": record.getMessage(), "exception": error}
            )


LOG: Final = logging.getLogger("durak.listener")
LOG.propagate = False
LOG.addHandler(_Mistakes())


def runner_of(app: web.Application) -> web.AppRunner:
    """What runs the application, not yet set up."""
    return web.AppRunner(app, access_log=None, logger=LOG, shutdown_timeout=1)
