"""Which face a person gets: the table page in a browser, or line mode."""

from __future__ import annotations

import os
import webbrowser
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from cli.app import App
    from cli.evening import Face
    from cli.page.feed import Mode


def wants_page(*, said: bool | None, by_itself: bool) -> bool:
    """`said`: --page or --text, None for neither. `by_itself`: the command opens the page where it can."""
    if said is not None:
        return said
    from cli.page.face import can_show

    return by_itself and can_show(os.environ)


@asynccontextmanager
async def face_of(app: App, mode: Mode, *, page: bool, line: Callable[[], Face]) -> AsyncIterator[Face]:
    """The face, and at the end its server closed. Raises CommandError where the page cannot be served."""
    if not page:
        yield line()
        return
    from cli.page.face import can_show, page_face

    async with page_face(app, mode, browse=webbrowser.open if can_show(os.environ) else None) as face:
        yield face
