"""Another Intelli, reached over HTTP with an API key: refusals come back in the words the server said."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from intelli.kit.errors import Conflict, Forbidden, IntelliError, Invalid, NotFound, Unauthenticated, Unavailable

if TYPE_CHECKING:
    import httpx

    from intelli.settings import Settings

_KINDS: dict[int, type[IntelliError]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    422: Invalid,
}
_SILENCE_S = 120


@asynccontextmanager
async def connected(url: str, key: str) -> AsyncIterator["httpx.AsyncClient"]:
    """A client of the API at an address."""
    import httpx

    try:
        async with httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/api/v1/", headers={"X-API-Key": key}, timeout=_SILENCE_S
        ) as client:
            yield client
    except httpx.HTTPError as error:
        raise _silent(url) from error
    except ExceptionGroup as several:
        # Requests that ran side by side fail side by side.
        if several.split(httpx.HTTPError)[1] is not None:
            raise
        raise _silent(url) from several


def _silent(url: str) -> Unavailable:
    return Unavailable(f"{url} does not answer. Check the address, and that the server is running.")


def address(settings: "Settings", server: str | None, key: str | None) -> tuple[str, str] | None:
    """The server to talk to and the key for it, when one is given or set; None works on this machine."""
    url = server or settings.client.server
    if url is None:
        return None
    _insist_on_address(url)
    secret = key or (settings.client.key.get_secret_value() if settings.client.key else None)
    if secret is None:
        raise Invalid("A server needs an API key: give --key, or set INTELLI_CLIENT__KEY.")
    if not secret.isascii():
        raise Invalid("This is no API key: a key has only plain letters, digits and signs.")
    return url, secret


def _insist_on_address(url: str) -> None:
    """Refuse what is no address of a server."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise Invalid(f"{url} is no address of a server. Give one such as http://127.0.0.1:8000.")


def answer(response: "httpx.Response") -> Any:
    """What the server said; a refusal is raised."""
    if response.is_success:
        return response.json()
    try:
        detail = str(response.json()["detail"])
    except (json.JSONDecodeError, KeyError, TypeError):
        detail = f"The server answered {response.status_code}."
    raise _refusal(response.status_code, detail)


def refusal(problem: Mapping[str, Any]) -> IntelliError:
    """What the server said of one thing among several."""
    return _refusal(int(problem["status"]), str(problem["detail"]))


def _refusal(status: int, detail: str) -> IntelliError:
    return Unavailable(detail) if status in {429, 503} else _KINDS.get(status, IntelliError)(detail)
