"""read_document: read part of a document's text."""

from uuid import UUID

from pydantic import Field

from intelli.kit.wire import Request, Wire
from intelli.runs.tools.tool import Tool, ToolContext

_MAX_CHARS = 20_000


class ReadInput(Request):
    """Which document, and from where."""

    document_id: UUID
    start: int = Field(0, ge=0)
    chars: int = Field(8000, ge=1, le=_MAX_CHARS)


class ReadText(Wire):
    """The text, and where it stands in the whole."""

    document_id: UUID
    title: str
    sha256: str
    text: str
    start: int
    end: int
    total_chars: int


async def _read(asked: ReadInput, context: ToolContext) -> ReadText:
    end = asked.start + asked.chars
    extract = await context.library.read(context.who, asked.document_id, start=asked.start, end=end)
    return ReadText(
        document_id=extract.document_id,
        title=extract.title,
        sha256=extract.span.sha256,
        text=extract.text,
        start=extract.span.start,
        end=extract.span.end,
        total_chars=extract.total_chars,
    )


TOOL = Tool("read_document", "Read the text of a document.", ReadInput, ReadText, _read, label="Read")
