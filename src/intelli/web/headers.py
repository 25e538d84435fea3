"""Default headers of every response: security, caching and `Vary`.

A route may set any of them itself; missing ones are added here, so that no route can forget one.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Scope

_YEAR_S = 365 * 24 * 60 * 60
_CREDENTIALS = ("Authorization", "X-API-Key", "Cookie")
_OPERATIONS = ("/healthz", "/readyz", "/metrics")
SAFE: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
}


class AnswerHeaders:
    """Adds missing default headers to a response before it is sent."""

    def __init__(self, *, public_url: str | None) -> None:
        is_https = urlsplit(public_url or "").scheme == "https"
        # Browsers ignore it over plain http, so it may be sent there too.
        self._always = {**SAFE, **({"Strict-Transport-Security": f"max-age={_YEAR_S}"} if is_https else {})}

    def complete(self, scope: Scope, message: Message) -> None:
        """Add the default headers that the response lacks."""
        headers = MutableHeaders(scope=message)
        for name, value in self._always.items():
            headers.setdefault(name, value)
        headers.setdefault("Cache-Control", _cache_control(scope["path"], headers))
        _add_vary(headers, _dependencies(scope["path"], headers))


def _cache_control(path: str, headers: MutableHeaders) -> str:
    """Choose `Cache-Control`: callers may cache and revalidate API responses with an ETag, but no others."""
    if not _is_api(path):
        return "no-cache"
    return "private, no-cache" if "ETag" in headers else "no-store"


def _dependencies(path: str, headers: MutableHeaders) -> tuple[str, ...]:
    """Return the request headers that a response depends on: the UI's page is only sent when HTML is accepted."""
    if _is_api(path):
        return (*_CREDENTIALS, "Accept", "Origin")
    return () if "immutable" in headers["Cache-Control"] else ("Accept",)


def _add_vary(headers: MutableHeaders, names: tuple[str, ...]) -> None:
    given = [name.strip() for name in headers.get("Vary", "").split(",") if name.strip()]
    known = {name.lower() for name in given}
    if "*" in known or not (given or names):
        return
    headers["Vary"] = ", ".join([*given, *(name for name in names if name.lower() not in known)])


def _is_api(path: str) -> bool:
    return path == "/api" or path.startswith("/api/") or path in _OPERATIONS
