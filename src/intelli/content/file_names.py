"""File names given by users: cleaned for display and download, never used as a path on disk."""

import re
import unicodedata
from pathlib import PurePosixPath
from urllib.parse import quote

_NAME_BYTES = 255
_SUFFIX_BYTES = 32
_SLUG_CHARS = 60
_UNFIT = re.compile(r"[^A-Za-z0-9]+")


def clean(filename: str | None) -> str | None:
    """Return the last path step without control, format and bidirectional characters; None when nothing is left.

    "reports/2024/a.pdf" → "a.pdf". Names over 255 bytes are shortened, and their extension is preserved.
    """
    last = unicodedata.normalize("NFC", filename or "").replace("\\", "/").rpartition("/")[2]
    kept = "".join(character for character in last if unicodedata.category(character)[0] != "C")
    name = " ".join(kept.split()).strip(". ")
    return _shorten(name) or None


def slug(title: str) -> str:
    """Return a title as a URL-safe name, "Café Report" → "cafe-report"; empty when no letter is left."""
    dashed = "".join("-" if unicodedata.category(each) == "Pd" else each for each in title)
    plain = _UNFIT.sub("-", unicodedata.normalize("NFKD", dashed).encode("ascii", "ignore").decode()).strip("-").lower()
    if len(plain) <= _SLUG_CHARS:
        return plain
    return plain[: _SLUG_CHARS + 1].rpartition("-")[0] or plain[:_SLUG_CHARS]


def disposition(kind: str, filename: str) -> str:
    """Build a `Content-Disposition` header (RFC 6266): an ASCII name for old clients, and the name in UTF-8."""
    plain = "".join(c if " " <= c <= "~" and c not in '"\\%' else "_" for c in filename)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(filename, safe='')}"


def _shorten(name: str) -> str:
    """Cut a name to the byte limit but preserve the extension, which tells people and programs the file type."""
    if len(name.encode()) <= _NAME_BYTES:
        return name
    suffix = PurePosixPath(name).suffix
    if len(suffix.encode()) > _SUFFIX_BYTES:
        suffix = ""
    available = _NAME_BYTES - len(suffix.encode())
    return name.encode()[:available].decode("utf-8", errors="ignore").strip(". ") + suffix
