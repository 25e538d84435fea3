"""Media types: a declared type is accepted only as far as the bytes allow; active content is never shown in place."""

import mimetypes
import re

HEAD_BYTES = 4096
_UNKNOWN = "application/octet-stream"
PATTERN = r"^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$"
_TYPE = re.compile(PATTERN, re.ASCII)
_SAYS_NOTHING = (_UNKNOWN, "application/x-www-form-urlencoded", "application/force-download", "binary/octet-stream")

# What the first bytes prove. A type listed here is not believed without them.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"OggS", "application/ogg"),
    (b"fLaC", "audio/flac"),
    (b"PK\x03\x04", "application/zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x1f\x8b", "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"{\\rtf", "application/rtf"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_PROVABLE = {kind for _, kind in _MAGIC} | set(_RIFF.values())
# Containers: the bytes prove the box, and the uploader says what is in it.
_INSIDE = {
    "application/zip": ("application/vnd.", "application/epub+zip", "application/x-zip-compressed"),
    "application/x-ole-storage": ("application/vnd.ms-", "application/msword"),
    "application/gzip": ("application/x-gzip", "application/x-tar", "application/x-gtar"),
    "application/ogg": ("audio/ogg", "video/ogg"),
    "application/rtf": ("text/rtf",),
}
_SHOWN = {
    "application/pdf", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/wav", "image/avif", "image/gif",
    "image/jpeg", "image/png", "image/webp", "text/csv", "text/markdown", "text/plain", "video/mp4", "video/ogg",
    "video/webm",
}  # fmt: skip


def decide(declared: str | None, filename: str | None, head: bytes) -> str:
    """Return the media type to store for bytes that begin with `head`."""
    claimed = _normalise(declared) or _normalise(mimetypes.guess_type(filename or "")[0])
    proven = _detect(head)
    if proven:
        return claimed if claimed and claimed.startswith(_INSIDE.get(proven, ())) else proven
    if claimed and claimed not in _PROVABLE:
        return claimed
    return "text/plain" if _is_text(head) else _UNKNOWN


def is_shown(media_type: str) -> bool:
    """True for types that a browser may display. HTML, SVG, XML, scripts and unknown types are only downloaded."""
    return media_type in _SHOWN


def _normalise(declared: str | None) -> str | None:
    """Return a declared type in lower case without parameters; None when it is malformed or says nothing."""
    kind = (declared or "").partition(";")[0].strip().lower()
    if not _TYPE.fullmatch(kind) or kind in _SAYS_NOTHING or kind.startswith("multipart/"):
        return None
    return kind


def _detect(head: bytes) -> str | None:
    """Return the type that the first bytes prove; None when they prove none."""
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    return next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)


def _is_text(head: bytes) -> bool:
    """True for UTF-8 without NUL; the last character may be cut off by the end of the head."""
    if b"\0" in head:
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return len(head) >= HEAD_BYTES and error.start >= len(head) - 3
    return True
