"""Someone who sends requests to any route, and looks at every answer for what must never be in one."""

import re

import httpx
from tests.contracts.routes import Operation

_LEAKS = re.compile(
    r"Traceback|File \"|\.py\b|/src/|site-packages|psycopg|sqlalchemy|asyncpg|pydantic|SQLSTATE|"
    r"\b(select|insert into|update|delete from)\b .{0,80}\b(from|values|set|where)\b|postgresql://|row-level security",
    re.IGNORECASE,
)
# The test's server runs no worker, and says so.
_MAY_BE_UNREADY = {"readyz"}


class Caller:
    """Sends requests as someone and looks at every answer for what must never be in one."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._root = client.base_url.copy_with(path="/")

    async def send(self, operation: Operation, path: str, **request: object) -> httpx.Response:
        return await self.ask(operation.method, path, may_be_unready=operation.id in _MAY_BE_UNREADY, **request)

    async def ask(self, method: str, path: str, *, may_be_unready: bool = False, **request: object) -> httpx.Response:
        url = f"{str(self._root).rstrip('/')}{path}"
        async with self._client.stream(method, url, **request) as answer:  # type: ignore[arg-type]  # httpx's own keywords
            if "text/event-stream" not in answer.headers.get("Content-Type", ""):
                await answer.aread()
        where = f"{method} {path[:200]}"
        assert answer.status_code < 500 or (may_be_unready and answer.status_code == 503), where
        if answer.is_stream_consumed:
            assert not _LEAKS.search(answer.text), f"{where} tells too much: {answer.text[:500]}"
        if answer.is_client_error and method != "HEAD":
            assert answer.headers["Content-Type"] == "application/problem+json", where
            assert answer.json()["status"] == answer.status_code, where
        return answer
