"""The result of an extraction: one canonical text, and a span map that leads any range of it back to the original.

Every offset counts characters (Unicode code points) of the canonical text. Pages, where the format has them, are
joined with a form feed and never overlap; blocks are in reading order and never overlap.
"""

from dataclasses import dataclass, field
from enum import StrEnum

Box = tuple[float, float, float, float]


class BlockKind(StrEnum):
    """The kind of a block in its document."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    NOTE = "note"
    FURNITURE = "furniture"  # running headers, page numbers: kept in the text, never chunked
    ATTACHMENT = "attachment"


class PieceKind(StrEnum):
    """What a piece of a document is to its reader: finer than the kind of the block that it is read from."""

    TITLE = "title"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CAPTION = "caption"
    CONTENTS = "contents"
    FURNITURE = "furniture"
    FOOTNOTE = "footnote"
    MAIL_HEADER = "mail_header"
    QUOTED_REPLY = "quoted_reply"
    SIGNATURE = "signature"
    CODE = "code"
    REFERENCE = "reference"
    COMMENT = "comment"
    ATTACHMENT = "attachment"


@dataclass(frozen=True, slots=True)
class BlockLocation:
    """Location of a block in the original. Only fields that the format has are set; all numbers begin at 1."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    cells: str | None = None  # "A1:F40"
    paragraph: int | None = None
    line: int | None = None
    part: str | None = None  # of an e-mail or archive: "headers", "body", "report.pdf"
    box: Box | None = None  # points from the top left, where the format places blocks but not words


@dataclass(frozen=True, slots=True)
class Block:
    """A range of the text with one kind. `level` is that of a heading, else 0; `path` are the headings above.

    `told` is what the format itself says that it is: a style of Word, a tag of HTML, a part of a mail.
    """

    start: int
    end: int
    kind: BlockKind
    place: BlockLocation = BlockLocation()
    level: int = 0
    path: tuple[str, ...] = ()
    told: PieceKind | None = None


@dataclass(frozen=True, slots=True)
class PageWord:
    """A range of characters with one box, in points of the displayed page from its top left."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page: its size in points, its range of the text, and the boxes of its words."""

    number: int
    start: int
    end: int
    width: float
    height: float
    words: tuple[PageWord, ...] = ()
    is_ocr: bool = False
    quality: float = 1.0  # share of glyphs that can be read; for OCR the mean confidence


@dataclass(frozen=True, slots=True)
class ExtractedAttachment:
    """A file inside the file: attached to an e-mail or packed in an archive."""

    name: str
    media_type: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """A document as text that can be cited."""

    text: str
    blocks: tuple[Block, ...]
    media_type: str
    pages: tuple[TextPage, ...] = ()
    title: str | None = None
    properties: dict[str, str] = field(default_factory=dict)  # of an e-mail: subject, from, to, date; of others: author
    attachments: tuple[ExtractedAttachment, ...] = ()
    warnings: tuple[str, ...] = ()  # what a reader should know: "Pages 4-9 could not be read", "Cut at 3,000 pages"


class Refusal(StrEnum):
    """Reasons why a file gives no text."""

    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    EMPTY = "empty"
    NO_TEXT = "no_text"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    HOSTILE = "hostile"  # a bomb, a path that leaves its archive, entities that multiply
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASHED = "crashed"


class Unreadable(Exception):
    """A file that cannot be read; `reason` is a sentence for the person who uploaded it, and says what to do."""

    def __init__(self, refusal: Refusal, reason: str) -> None:
        super().__init__(reason)
        self.refusal = refusal
        self.reason = reason
