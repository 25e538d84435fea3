"""Reader of e-mails: headers, the body that a mail program shows, and the attachments with their text."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler, clean
from intelli.library.extraction.html import add_html
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, ExtractedAttachment, Extraction, PieceKind
from intelli.library.extraction.nested_files import NestedFiles
from intelli.library.extraction.text import decode, split_paragraphs

MEDIA_TYPE = "message/rfc822"
_HEADERS = ("from", "to", "cc", "date")
_HEADER_CHARS = 20_000
_WORDS = re.compile(r"\w+")
_TAGS = re.compile(r"<(style|script)\b.*?(?:</\1\s*+>|\Z)|<[^>]*+(?:>|\Z)", re.DOTALL | re.IGNORECASE)
_POINTER = 0.3  # a plain body with less than this share of the HTML body's words only points to it


def extract_mail(path: Path, limits: Limits, inside: NestedFiles) -> Extraction:
    """Extract the text of an e-mail; sender, recipients, date and subject are in its properties."""
    raw = path.read_bytes()
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw[:200]:
        raw = decode(raw).encode("utf-8", "replace")
    message = message_from_bytes(raw.lstrip(b"\xef\xbb\xbf\r\n"))
    properties = {name: _header(message, name) for name in ("subject", *_HEADERS)}
    return add_mail(properties, MailParts.from_message(message), inside, assembly=TextAssembler(limits))


@dataclass(frozen=True, slots=True)
class MailBody:
    """A body of an e-mail, as plain text or HTML."""

    text: str
    is_html: bool


@dataclass(frozen=True, slots=True)
class MailAttachment:
    """A file attached to an e-mail; `is_read` is False for pictures of the body and encrypted parts."""

    name: str
    media_type: str
    content: bytes
    is_read: bool = True
    is_locked: bool = False


@dataclass(slots=True)
class MailParts:
    """The bodies and attachments of an e-mail."""

    bodies: list[MailBody] = field(default_factory=list)
    attached: list[MailAttachment] = field(default_factory=list)
    is_encrypted: bool = False

    @classmethod
    def from_message(cls, message: Message) -> "MailParts":
        """Collect the parts of a message."""
        parts = cls()
        parts._add_part(message)
        return parts

    def _add_part(self, part: Message) -> None:
        """Add a part of the message, and the parts inside it."""
        kind = part.get_content_type()
        if part.is_multipart() and kind == "multipart/alternative":
            self._add_alternatives(part)
        elif part.is_multipart() and kind != "message/rfc822":
            for each in _children(part):
                self._add_part(each)
            if kind == "multipart/encrypted":
                self.is_encrypted = True
                self.attached = [replace(each, is_read=False, is_locked=True) for each in self.attached]
        elif kind.startswith("text/") and not _is_file(part):
            self.bodies.append(MailBody(_text(part), kind == "text/html"))
        else:
            self.attached.append(_read_attachment(part))

    def _add_alternatives(self, part: Message) -> None:
        """Add the best of several alternative bodies, and the attachments of all of them."""
        found = []
        for each in _children(part):
            inner = MailParts()
            inner._add_part(each)
            found.append(inner)
        for inner in found:
            self.attached += inner.attached
        bodies = [body for inner in found for body in inner.bodies]
        if bodies:
            self.bodies.append(choose_body(bodies))


def choose_body(bodies: list[MailBody]) -> MailBody:
    """Choose the plain body, unless it is much shorter than the HTML body and only points to it."""
    plain = next((body for body in bodies if not body.is_html and body.text.strip()), None)
    rich = next((body for body in bodies if body.is_html and body.text.strip()), None)
    if plain is None or rich is None:
        return plain or rich or bodies[0]
    words = len(_WORDS.findall(_TAGS.sub(lambda tag: " " if tag[0].endswith(">") else tag[0], rich.text)))
    return rich if len(_WORDS.findall(plain.text)) < _POINTER * words else plain


def add_mail(
    properties: dict[str, str],
    parts: MailParts,
    inside: NestedFiles,
    *,
    assembly: TextAssembler,
    media_type: str = MEDIA_TYPE,
) -> Extraction:
    """Build the extraction of an e-mail from its headers and parts."""
    where = BlockLocation(part="headers")
    assembly.add(BlockKind.HEADING, properties["subject"], where, 1, told=PieceKind.TITLE)
    lines = (f"{name.capitalize()}: {properties[name]}" for name in _HEADERS if properties[name])
    assembly.add(BlockKind.NOTE, "\n".join(lines), where, told=PieceKind.MAIL_HEADER)
    for body in parts.bodies:
        _add_body(assembly, body)
    if parts.is_encrypted:
        assembly.warn("The e-mail is encrypted. Only its headers and the names of its attachments can be read.")
    return assembly.finish(
        media_type,
        title=properties["subject"],
        properties=properties,
        attachments=list(_add_attachments(assembly, parts.attached, inside)),
    )


def _add_body(assembly: TextAssembler, body: MailBody) -> None:
    place = BlockLocation(part="body")
    if body.is_html:
        add_html(assembly, body.text, place)
        return
    text = clean(body.text)
    for block in split_paragraphs(text):
        assembly.add(
            BlockKind.PARAGRAPH, text[block.start : block.end], BlockLocation(part="body", line=block.place.line)
        )


def _add_attachments(
    assembly: TextAssembler, attached: list[MailAttachment], inside: NestedFiles
) -> Iterator[ExtractedAttachment]:
    """Append the text of the attachments and yield each; one that is encrypted is only named."""
    for each in attached:
        size_bytes = len(each.content)
        if each.is_read and each.content:
            inside.include(assembly, io.BytesIO(each.content), name=each.name, size_bytes=size_bytes)
        if each.is_locked:
            label = each.name if each.name == each.media_type else f"{each.name} ({each.media_type})"
            assembly.add(BlockKind.ATTACHMENT, label, BlockLocation(part="attachments"))
        yield ExtractedAttachment(each.name, each.media_type, size_bytes)


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [each for each in payload if isinstance(each, Message)] if isinstance(payload, list) else []


def _is_file(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(_filename(part))


def _read_attachment(part: Message) -> MailAttachment:
    kind = part.get_content_type()
    if kind == "message/rfc822":
        inner = _children(part)
        name = _filename(part) or (_header(inner[0], "subject") if inner else "") or "message"
        content = inner[0].as_bytes() if inner else b""
        return MailAttachment(name if name.endswith(".eml") else f"{name}.eml", kind, content)
    payload = part.get_payload(decode=True)
    is_inline = kind.startswith("image/") and (
        part.get_content_disposition() == "inline" or bool(part.get("content-id"))
    )
    is_secret = kind in ("application/pgp-encrypted", "application/pgp-signature", "application/pkcs7-signature")
    content = payload if isinstance(payload, bytes) else b""
    return MailAttachment(_filename(part) or kind, kind, content, is_read=not is_inline and not is_secret)


def _filename(part: Message) -> str:
    try:
        return _decode_header(part.get_filename() or "")
    except (ValueError, LookupError, TypeError):
        return ""


def _text(part: Message) -> str:
    """Decode a text part: by its declared charset, else by guessing."""
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    charset = part.get_content_charset()
    if charset:
        try:
            return raw.decode(charset)
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(raw)


def _header(message: Message, name: str) -> str:
    """Return all headers of a name, decoded and joined by commas; what cannot be decoded stays as it is."""
    values = [_decode_header(str(value)) for key, value in message.items() if key.lower() == name]
    return ", ".join(value for value in values if value)[:_HEADER_CHARS]


def _decode_header(value: str) -> str:
    flat = " ".join(value.encode("utf-8", "surrogateescape").decode("utf-8", "replace").split())
    try:
        return " ".join(str(make_header(decode_header(flat))).split())
    except (HeaderParseError, LookupError, UnicodeDecodeError, ValueError):
        return flat
