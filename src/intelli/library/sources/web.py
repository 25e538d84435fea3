"""Source of web pages and files. A reference is an address."""

import html
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import unquote, urldefrag, urlsplit

import httpx

from intelli.kit import clock
from intelli.kit.checked_connections import AddressRefused
from intelli.library.settings import LibrarySettings
from intelli.library.sources import http_charset, safe_fetch
from intelli.library.sources.port import FetchedDocument
from intelli.library.wire import FetchStrategy

_HEAD_BYTES = 64 << 10
_TITLE = re.compile(r"<title\b[^<>]{0,500}+>((?:[^<]|<(?!/?title\b)){1,1000}+)</title", re.IGNORECASE)
_PAGE_TYPES = {"text/html", "application/xhtml+xml"}
_NAME_CHARS = 120
# The database finds documents by their address, and what it looks up has a longest size.
_ADDRESS_BYTES = 2000


class Web:
    """Web pages and files, by address."""

    source_type = "web"
    title = "Web page"
    fetch_strategy = FetchStrategy.EXTERNAL
    can_import = True

    def missing(self, settings: LibrarySettings) -> list[str]:
        """Return nothing: it needs no settings."""
        return []

    @asynccontextmanager
    async def fetch(self, reference: str, settings: LibrarySettings) -> AsyncIterator[FetchedDocument]:
        """Fetch the page or file at an address, following redirects, but never from the server's own network."""
        url = _checked(reference)
        async with safe_fetch.session(settings) as session, session.get(url) as response:
            async with session.guard():
                fetched = await _fetched(url, response, session.chunks(response))
            yield fetched

    def url_of(self, external_id: str, settings: LibrarySettings) -> str | None:
        """Return the address itself."""
        return external_id


async def _fetched(url: str, response: httpx.Response, chunks: AsyncIterator[bytes]) -> FetchedDocument:
    content_type = response.headers.get("Content-Type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    head, rest = await _peek(chunks)
    charset = http_charset.find(content_type)
    return FetchedDocument(
        chunks=rest,
        name=_name(str(response.url), media_type, head.decode(charset or http_charset.FALLBACK, errors="replace")),
        media_type=media_type or None,
        external_id=url,
        external_url=url,
        metadata={
            "final_url": str(response.url),
            "fetched_at": clock.now().isoformat(),
            "etag": response.headers.get("ETag", "")[:200],
            "last_modified": response.headers.get("Last-Modified", "")[:200],
            **http_charset.note(content_type),
        },
    )


async def _peek(chunks: AsyncIterator[bytes]) -> tuple[bytes, AsyncIterator[bytes]]:
    """Return the first bytes of a stream, and the whole stream again."""
    head = bytearray()
    async for chunk in chunks:
        head += chunk
        if len(head) >= _HEAD_BYTES:
            break

    async def whole() -> AsyncIterator[bytes]:
        yield bytes(head)
        async for chunk in chunks:
            yield chunk

    return bytes(head[:_HEAD_BYTES]), whole()


def _checked(reference: str) -> str:
    try:
        parts = urlsplit(urldefrag(reference).url)
        is_whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_whole = False
    if not is_whole:
        raise AddressRefused("Give a full address that begins with http:// or https://.")
    if parts.username or parts.password:
        raise AddressRefused("Give the address without a user name and password.")
    if len(parts.geturl().encode(errors="replace")) > _ADDRESS_BYTES:
        raise AddressRefused(f"Give an address of at most {_ADDRESS_BYTES} bytes.")
    return parts.geturl()


def _name(url: str, media_type: str, head: str) -> str:
    """Return the name of the document: the title of a page, or the last step of the address of a file."""
    parts = urlsplit(url)
    last = unquote(parts.path).rstrip("/").rpartition("/")[2]
    if media_type not in _PAGE_TYPES:
        return last or parts.hostname or "download"
    title = _TITLE.search(head)
    called = " ".join(html.unescape(title[1]).split()) if title else ""
    # A title may have slashes; the rules of names would keep what is behind the last one only.
    called = (called or last or parts.hostname or "page").replace("/", "\N{FRACTION SLASH}")[:_NAME_CHARS]
    return called if called.lower().endswith((".html", ".htm")) else f"{called}.html"


SOURCE = Web()
