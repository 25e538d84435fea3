"""Counts a request as in the foreground from when its body was read until its answer begins.

An upload is not counted: it takes as long as its sender does. Neither is what streams on after its answer began.
"""

from contextlib import ExitStack

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from intelli.kit.foreground import Foreground

_UPLOAD = "multipart/"


class ForegroundScope:
    """Tells background work that somebody waits. It stands behind what reads the body."""

    def __init__(self, app: ASGIApp, *, foreground: Foreground) -> None:
        self._app = app
        self._foreground = foreground

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the request."""
        if scope["type"] != "http" or Headers(scope=scope).get("Content-Type", "").startswith(_UPLOAD):
            await self._app(scope, receive, send)
            return
        with ExitStack() as waiting:
            waiting.enter_context(self._foreground.request())

            async def answer(message: Message) -> None:
                waiting.close()
                await send(message)

            await self._app(scope, receive, answer)
