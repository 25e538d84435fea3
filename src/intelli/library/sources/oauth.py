"""Adapter for sources behind OAuth: signs in as the installation; each source only declares its API paths."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from intelli.kit import setting_types
from intelli.library.errors import InvalidReference, SourceNotConfigured, SourceRefused
from intelli.library.settings import LibrarySettings, OAuthSettings
from intelli.library.sources import safe_fetch
from intelli.library.sources.port import FetchedDocument
from intelli.library.sources.safe_fetch import FetchSession
from intelli.library.wire import FetchStrategy

_STEP = re.compile(r"[A-Za-z0-9_!.,$=+@-]{1,500}", re.ASCII)
# Characters that are allowed in a header.
_TOKEN = re.compile(r"[!-~]{1,20000}")
_ANSWER_BYTES = 1 << 20
_NEEDED = ("client_id", "client_secret", "token_url")


@dataclass(frozen=True, slots=True)
class OAuthSource:
    """A source whose documents are reached with an access token.

    `about` and `content` are API paths of metadata and bytes, with one `{}` for each step of the reference; `scope` is
    the OAuth scope to request.
    """

    source_type: str
    title: str
    api_url: str
    about: str
    content: str
    scope: str
    name_field: str = "name"
    suffix: str = ""
    media_type: str | None = None
    fetch_strategy: FetchStrategy = FetchStrategy.OAUTH_PROXY
    can_import: bool = True

    def missing(self, settings: LibrarySettings) -> list[str]:
        """Return the names of required settings that are empty."""
        client = settings.access(self.source_type)
        prefix = f"INTELLI_LIBRARY__{self.source_type.upper()}__"
        return [f"{prefix}{name.upper()}" for name in _NEEDED if not getattr(client, name)]

    @asynccontextmanager
    async def fetch(self, reference: str, settings: LibrarySettings) -> AsyncIterator[FetchedDocument]:
        """Fetch a document by its reference: its id, or the ids on the path to it, joined by `/`."""
        steps = self._steps(reference)
        access = settings.access(self.source_type)
        base = access.api_url or self.api_url
        async with safe_fetch.session(settings) as session:
            headers = {"Authorization": f"Bearer {await _token(session, access, scope=self.scope)}"}
            async with session.get(base + self.about.format(*steps), headers=headers) as response:
                about = await _json(session, response)
            async with session.get(base + self.content.format(*steps), headers=headers) as response:
                yield self._fetched(reference, about, response, session.chunks(response))

    def url_of(self, external_id: str, settings: LibrarySettings) -> str | None:
        """Return None: only the source knows the address, and returns it with the document."""
        return None

    def _steps(self, reference: str) -> list[str]:
        steps = reference.strip("/").split("/")
        wanted = self.content.count("{}")
        if len(steps) != wanted or not all(_STEP.fullmatch(step) and step.strip(".") for step in steps):
            raise InvalidReference(
                f"{self.title} knows documents by {wanted} id(s), joined by '/'. Check the reference."
            )
        return steps

    def _fetched(
        self, reference: str, about: dict[str, Any], response: httpx.Response, chunks: AsyncIterator[bytes]
    ) -> FetchedDocument:
        file = about.get("file", {})
        kind = file.get("mimeType") if isinstance(file, dict) else None
        name = _text(about.get(self.name_field)) or reference.rpartition("/")[2]
        return FetchedDocument(
            chunks=chunks,
            name=name.replace("/", "\N{FRACTION SLASH}")[:200] + self.suffix,
            media_type=self.media_type or (str(kind) if kind else response.headers.get("Content-Type")),
            external_id=reference.strip("/"),
            external_url=_text(about.get("webUrl") or about.get("webLink")),
            metadata={"etag": _text(about.get("eTag")), "modified_at": _text(about.get("lastModifiedDateTime"))},
        )


async def _token(session: FetchSession, access: OAuthSettings, *, scope: str) -> str:
    """Request an access token: for the account whose refresh token is set, else for the application itself."""
    form = {
        "client_id": access.client_id,
        "client_secret": setting_types.reveal_secret(access.client_secret),
        "scope": scope,
    }
    if refresh_token := setting_types.reveal_secret(access.refresh_token):
        form |= {"grant_type": "refresh_token", "refresh_token": refresh_token}
    else:
        form |= {"grant_type": "client_credentials"}
    async with session.post(access.token_url or "", form) as response:
        answer = await _json(session, response)
    token = answer.get("access_token")
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise SourceNotConfigured("The source did not accept our credentials. Check its settings.")
    return token


async def _json(session: FetchSession, response: httpx.Response) -> dict[str, Any]:
    body = bytearray()
    async for chunk in session.chunks(response):
        body += chunk
        if len(body) > _ANSWER_BYTES:
            raise SourceRefused("The source said more than is plausible.")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SourceRefused("The source answered something that is not JSON. Check its address.") from error
    return answer if isinstance(answer, dict) else {}


def _text(value: object) -> str | None:
    """Return a string of the source cut and cleaned so that PostgreSQL can store it; None for other values."""
    return value[:2000].replace("\0", "").encode(errors="replace").decode() if isinstance(value, str) else None
