"""Middleware that counts a request as foreground work from when its body was read until its response starts.

Uploads are not counted, since their duration depends on the sender; nor are streams after their response started.
"""

from contextlib import ExitStack

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from intelli.kit.foreground import Foreground

_UPLOAD = "multipart/"


class ForegroundScope:
    """ASGI middleware that marks requests in `Foreground`, so that background work yields. Runs inside BodyFilter."""

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
