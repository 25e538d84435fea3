"""File names as people give them: kept for showing and saving, cleaned of what could mislead, never used as a path."""

import re
import unicodedata
from pathlib import PurePosixPath
from urllib.parse import quote

_NAME_BYTES = 255
_SUFFIX_BYTES = 32
_SLUG_CHARS = 60
_UNFIT = re.compile(r"[^A-Za-z0-9]+")


def clean(filename: str | None) -> str | None:
    """The last step of the name without control, format and bidirectional characters; None when nothing is left."""
    last = unicodedata.normalize("NFC", filename or "").replace("\\", "/").rpartition("/")[2]
    kept = "".join(character for character in last if unicodedata.category(character)[0] != "C")
    name = " ".join(kept.split()).strip(". ")
    return _shortened(name) or None


def slug(title: str) -> str:
    """A title as a name that stands in an address as it is; empty when none of its letters does."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return _UNFIT.sub("-", plain)[:_SLUG_CHARS].strip("-").lower()


def disposition(kind: str, filename: str) -> str:
    """`Content-Disposition` by RFC 6266: a plain name for old clients, the true one in UTF-8 beside it."""
    plain = "".join(c if " " <= c <= "~" and c not in '"\\%' else "_" for c in filename)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(filename, safe='')}"


def _shortened(name: str) -> str:
    """The ending stays: it tells people and programs what the file is."""
    if len(name.encode()) <= _NAME_BYTES:
        return name
    suffix = PurePosixPath(name).suffix
    if len(suffix.encode()) > _SUFFIX_BYTES:
        suffix = ""
    room = _NAME_BYTES - len(suffix.encode())
    return name.encode()[:room].decode("utf-8", errors="ignore").strip(". ") + suffix
