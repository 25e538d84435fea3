"""HTTP transfer of bytes for every room with files: streaming request bodies, and serving with ranges and caching."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.requests import ClientDisconnect

from intelli.content import file_names, media_types
from intelli.content.errors import UploadInterrupted
from intelli.content.ports import ArtifactStored
from intelli.content.settings import ContentSettings
from intelli.kit import ranges
from intelli.kit.blobs import Blobs
from intelli.kit.errors import RangeNotSatisfiable
from intelli.kit.http import part, problem
from intelli.kit.ranges import ByteRange

Settings = Annotated[ContentSettings, Depends(part(ContentSettings))]
BlobStore = Annotated[Blobs, Depends(part(Blobs))]
OnStoring = Annotated[ArtifactStored, Depends(part(ArtifactStored))]

# Never run or framed: untrusted bytes are served from the same origin that people are signed in to.
_INERT = "default-src 'none'; sandbox"
_PLAIN = "default-src 'none'"
BYTES: dict[int | str, dict[str, object]] = {
    200: {"content": {"application/octet-stream": {}}},
    206: {"description": "The part that was asked for.", "content": {"application/octet-stream": {}}},
    304: {"description": "The caller has it already."},
}


@dataclass(frozen=True, slots=True)
class ServedFile:
    """Stored file to serve: hash, media type, size and download name."""

    sha256: str
    media_type: str
    size_bytes: int
    name: str

    @property
    def tag(self) -> str:
        """ETag of these bytes."""
        return f'"{self.sha256}"'


@dataclass(frozen=True, slots=True)
class RangeRequest:
    """Range and cache headers of a download request; HEAD asks for the headers alone."""

    range: str | None
    if_none_match: str | None
    if_range: str | None
    is_head: bool = False

    def is_cached(self, file: ServedFile) -> bool:
        """True when the client's cache already has these bytes."""
        return ranges.is_unchanged(self.if_none_match, file.tag)

    def parse_range(self, file: ServedFile) -> ByteRange | None:
        """Return the requested range; None for the whole. Raises RangeNotSatisfiable."""
        if self.is_head:
            return None
        return ranges.parse_range(
            self.range if ranges.is_same_version(self.if_range, file.tag) else None, file.size_bytes
        )

    def is_reading(self, file: ServedFile) -> bool:
        """True when the response contains the first byte, so that a download is audited once.

        A viewer that loads further ranges is still reading the same file.
        """
        if self.is_head:
            return False
        try:
            wanted = self.parse_range(file)
        except RangeNotSatisfiable:
            return False
        return not self.is_cached(file) and (wanted is None or wanted.start == 0)


def _parse_range_headers(
    request: Request,
    range: Annotated[str | None, Header(description="A part, as `bytes=0-99`.")] = None,
    if_none_match: Annotated[str | None, Header(description="The ETag of what the caller has.")] = None,
    if_range: Annotated[str | None, Header(description="The ETag that the part must be of.")] = None,
) -> RangeRequest:
    return RangeRequest(range, if_none_match, if_range, is_head=request.method == "HEAD")


Asking = Annotated[RangeRequest, Depends(_parse_range_headers)]


async def serve(blobs: Blobs, tenant_id: UUID, file: ServedFile, asked: RangeRequest) -> Response:
    """Respond with the bytes of a file or a range of them. Content that a browser could run is only downloaded."""
    headers = _headers(file)
    if asked.is_cached(file):
        return Response(status_code=304, headers=headers)
    try:
        wanted = asked.parse_range(file)
    except RangeNotSatisfiable as error:
        return _unsatisfiable(error, file.size_bytes)
    start, end = (wanted.start, wanted.end) if wanted else (0, file.size_bytes)
    headers |= {"Content-Type": file.media_type, "Content-Length": str(end - start)}
    if asked.is_head:
        return Response(headers=headers)
    content = await blobs.get(tenant_id, file.sha256, start=start, end=end)
    if wanted:
        headers["Content-Range"] = wanted.content_range(file.size_bytes)
    return StreamingResponse(content, status_code=206 if wanted else 200, headers=headers)


async def stream_body(request: Request) -> AsyncIterator[bytes]:
    """Stream the body of a request. Raises UploadInterrupted when the client disconnects."""
    try:
        async for chunk in request.stream():
            yield chunk
    except ClientDisconnect as error:
        raise UploadInterrupted("The upload was cut off. Send it again.") from error


def _headers(file: ServedFile) -> dict[str, str]:
    safe = safe_headers(file.media_type, file.name)
    return {"ETag": file.tag, "Accept-Ranges": "bytes", **safe}


def safe_headers(media_type: str, name: str) -> dict[str, str]:
    """Return headers under which untrusted bytes cannot run scripts, be framed or be sniffed."""
    is_shown = media_types.is_shown(media_type)
    return {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": file_names.disposition("inline" if is_shown else "attachment", name),
        "Content-Security-Policy": _PLAIN if is_shown else _INERT,
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def _unsatisfiable(error: RangeNotSatisfiable, size_bytes: int) -> JSONResponse:
    answer = problem(error)
    answer.headers["Content-Range"] = f"bytes */{size_bytes}"
    return answer
