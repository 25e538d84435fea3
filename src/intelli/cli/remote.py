"""HTTP client of a server, with an API key; problems of the server are raised with their detail."""

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
_TIMEOUT_S = 120


@asynccontextmanager
async def connect(url: str, key: str) -> AsyncIterator["httpx.AsyncClient"]:
    """Open a client of the API at a URL; failed connections are raised as Unavailable."""
    import httpx

    try:
        async with httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/api/v1/", headers={"X-API-Key": key}, timeout=_TIMEOUT_S
        ) as client:
            yield client
    except httpx.HTTPError as error:
        raise _unavailable(url) from error
    except ExceptionGroup as several:
        # Concurrent requests of a task group fail together.
        if several.split(httpx.HTTPError)[1] is not None:
            raise
        raise _unavailable(url) from several


def _unavailable(url: str) -> Unavailable:
    return Unavailable(f"{url} does not answer. Check the address, and that the server is running.")


def find_address(settings: "Settings", server: str | None, key: str | None) -> tuple[str, str] | None:
    """Return URL and API key of the server that is given or set; None means to work on this machine.

    Raise Invalid for a malformed URL or key, and when the key is missing.
    """
    url = server or settings.client.server
    if url is None:
        return None
    _check_url(url)
    secret = key or (settings.client.key.get_secret_value() if settings.client.key else None)
    if secret is None:
        raise Invalid("A server needs an API key: give --key, or set INTELLI_CLIENT__KEY.")
    if not secret.isascii():
        raise Invalid("This is no API key: a key has only plain letters, digits and signs.")
    return url, secret


def _check_url(url: str) -> None:
    """Raise Invalid unless this is an http or https URL with a host."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise Invalid(f"{url} is no address of a server. Give one such as http://127.0.0.1:8000.")


def parse_response(response: "httpx.Response") -> Any:
    """Return the JSON of a response; raise a problem response as the error of its status."""
    if response.is_success:
        return response.json()
    try:
        detail = str(response.json()["detail"])
    except (json.JSONDecodeError, KeyError, TypeError):
        detail = f"The server answered {response.status_code}."
    raise _make_error(response.status_code, detail)


def error_of(problem: Mapping[str, Any]) -> IntelliError:
    """Build the error of a problem in the answer to a batch."""
    return _make_error(int(problem["status"]), str(problem["detail"]))


def _make_error(status: int, detail: str) -> IntelliError:
    return Unavailable(detail) if status in {429, 503} else _KINDS.get(status, IntelliError)(detail)
