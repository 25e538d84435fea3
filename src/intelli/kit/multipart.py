"""Streaming parser of multipart forms: small fields are buffered, the one file streams in constant memory.

A form with several files is read into memory, up to a limit for all of them together.
"""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from intelli.kit.errors import Invalid, TooLarge

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

_FIELDS_BYTES = 64 << 10
_PARTS = 20
_ESCAPED = re.compile("%(22|0D|0A)")


class NotAForm(Invalid):
    """The body is not a multipart form with the file that is needed."""

    code = "not_a_form"


class FormTooLarge(TooLarge):
    """The fields beside the file are more than a form may have."""

    code = "form_too_large"


@dataclass(slots=True)
class _Part:
    """Part of the form, filled while it arrives."""

    headers: dict[bytes, bytearray] = field(default_factory=dict)
    header: bytearray = field(default_factory=bytearray)
    name: str = ""
    value: bytearray = field(default_factory=bytearray)


class MultipartForm:
    """Form with one file. Iterate `file()` to its end; only then are all other fields known.

    Raises NotAForm or FormTooLarge while it is read.
    """

    def __init__(self, content_type: str | None, chunks: AsyncIterator[bytes], *, file_field: str = "file") -> None:
        self.filename: str | None = None
        self.media_type: str | None = None
        self._fields: dict[str, bytes] = {}
        self._file_field = file_field
        self._chunks = chunks
        self._parser = MultipartParser(_get_boundary(content_type), self._callbacks())
        self._part = _Part()
        self._arrived: list[bytes] = []
        self._parts = 0
        self._field_bytes = 0
        self._has_file = self._is_over = False

    async def file(self) -> AsyncIterator[bytes]:
        """Stream the bytes of the file. Raise NotAForm when the form is cut off or has no file."""
        async for chunk in self._chunks:
            self._read(chunk)
            for data in self._arrived:
                yield data
            self._arrived.clear()
            if self._is_over:
                break
        if not self._is_over:
            raise NotAForm("The form was cut off before its end. Send it again.")
        if not self._has_file:
            raise NotAForm(f"The form has no file. Send one in the field '{self._file_field}'.")

    def text(self, name: str) -> str | None:
        """Return the text of a field; None when the form has none. Raise NotAForm when it is not valid text."""
        value = self._fields.get(name)
        try:
            text = None if value is None else value.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotAForm(f"The field '{name}' is not text in UTF-8.") from error
        if text is not None and "\0" in text:
            raise NotAForm(f"The field '{name}' holds a NUL character. Remove it.")
        return text

    def _read(self, chunk: bytes) -> None:
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise NotAForm("The body is not a valid multipart form.") from error

    def _callbacks(self) -> "MultipartCallbacks":
        return {
            "on_part_begin": self._on_part_begin,
            "on_header_field": self._on_header_name,
            "on_header_value": self._on_header_value,
            "on_headers_finished": self._on_headers_end,
            "on_part_data": self._on_data,
            "on_part_end": self._on_part_end,
            "on_end": self._on_end,
        }

    def _on_part_begin(self) -> None:
        self._parts += 1
        if self._parts > _PARTS:
            raise FormTooLarge(f"A form may have {_PARTS} fields at most.")
        self._part = _Part()

    def _on_header_name(self, data: bytes, start: int, end: int) -> None:
        # A name that follows a value begins the next header; one that follows a name continues it.
        if bytes(self._part.header) in self._part.headers:
            self._part.header = bytearray()
        self._part.header += data[start:end].lower()

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._part.headers.setdefault(bytes(self._part.header), bytearray()).extend(data[start:end])

    def _on_headers_end(self) -> None:
        part = self._part
        _, options = parse_options_header(part.headers.get(b"content-disposition", b"").decode("latin-1"))
        part.name = _decode(options.get(b"name", b""))
        if part.name != self._file_field:
            return
        if self._has_file:
            raise NotAForm("The form has more than one file. Send one at a time.")
        self._has_file = True
        self.filename = _unescape(_decode(options[b"filename"])) if b"filename" in options else None
        self.media_type = _decode(bytes(part.headers.get(b"content-type", b""))) or None

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._part.name == self._file_field:
            self._arrived.append(data[start:end])
            return
        self._field_bytes += end - start
        if self._field_bytes > _FIELDS_BYTES:
            raise FormTooLarge(f"The fields beside the file may have {_FIELDS_BYTES} bytes at most.")
        self._part.value += data[start:end]

    def _on_part_end(self) -> None:
        if self._part.name != self._file_field:
            self._fields[self._part.name] = bytes(self._part.value)

    def _on_end(self) -> None:
        self._is_over = True


@dataclass(frozen=True, slots=True)
class SmallFile:
    """File of a form with several files, in memory."""

    filename: str
    media_type: str | None
    content: bytes


class MultipartFiles(MultipartForm):
    """Form with several files that are small together. The other fields are known after `read`."""

    def __init__(
        self, content_type: str | None, chunks: AsyncIterator[bytes], *, most_files: int, limit_bytes: int
    ) -> None:
        super().__init__(content_type, chunks)
        self._most_files = most_files
        self._limit_bytes = limit_bytes
        self._files: list[SmallFile] = []

    async def read(self) -> list[SmallFile]:
        """Read the form and return its files in order. Raise FormTooLarge beyond a limit, NotAForm without a file."""
        size_bytes = 0
        async for chunk in self._chunks:
            size_bytes += len(chunk)
            if size_bytes > self._limit_bytes:
                raise FormTooLarge(
                    f"Files that come together may have {self._limit_bytes} bytes. Send fewer at a time."
                )
            self._read(chunk)
            if self._is_over:
                break
        if not self._is_over:
            raise NotAForm("The form was cut off before its end. Send it again.")
        if not self._files:
            raise NotAForm(f"The form has no file. Send some in the field '{self._file_field}'.")
        return self._files

    def _on_part_begin(self) -> None:
        self._part = _Part()
        self._parts += 1
        if self._parts > _PARTS + self._most_files:
            raise FormTooLarge(f"{self._most_files} files may come together. Send fewer at a time.")

    def _on_headers_end(self) -> None:
        self._has_file = False
        super()._on_headers_end()

    def _on_part_end(self) -> None:
        if self._part.name != self._file_field:
            super()._on_part_end()
            return
        self._files.append(SmallFile(self.filename or "", self.media_type, b"".join(self._arrived)))
        self._arrived.clear()
        if len(self._files) > self._most_files:
            raise FormTooLarge(f"{self._most_files} files may come together. Send fewer at a time.")


def _get_boundary(content_type: str | None) -> bytes:
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 1 <= len(boundary) <= 200:
        raise NotAForm("Send the file as multipart/form-data.")
    return boundary


def _unescape(filename: str) -> str:
    """Undo a browser's escaping of a file name in a header: `a%22b` → `a"b`; also CR and LF."""
    return _ESCAPED.sub(lambda found: unquote(found[0]), filename)


def _decode(value: bytes) -> str:
    """Decode the bytes of a header as UTF-8, as browsers write it; invalid bytes become replacement characters."""
    return value.decode("utf-8", errors="replace")
