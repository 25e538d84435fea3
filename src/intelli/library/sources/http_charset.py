"""Character sets named in `Content-Type` headers: known ones are used, unknown ones are recorded as metadata."""

import re
from encodings.aliases import aliases

FALLBACK = "utf-8"
_PARAMETER = re.compile(r"charset\s*+=\s*+[\"']?\s*+([^\s\"';,]{1,60})", re.IGNORECASE)
_APART = re.compile(r"[^a-z0-9]+")
# An explicit list: Python has more codecs, some of which are no character sets and take quadratic time.
_KNOWN = frozenset(
    f"{prefix}{number}"
    for prefix, numbers in {
        "utf_": ("8", "8_sig", "16", "16_le", "16_be", "32", "32_le", "32_be"),
        "iso8859_": tuple(map(str, range(1, 17))),
        "cp": (*map(str, range(1250, 1259)), "437", "850", "852", "866", "874", "932", "949", "950"),
        "koi8_": ("r", "u"),
        "mac_": ("roman", "cyrillic", "latin2", "greek", "turkish"),
        "": ("ascii", "latin_1", "gb18030", "gbk", "gb2312", "hz", "big5", "big5hkscs", "tis_620", "johab"),
        "euc_": ("jp", "kr"),
        "shift_": ("jis", "jisx0213"),
        "iso2022_": ("jp", "kr"),
    }.items()
    for number in numbers
)


def find(content_type: str) -> str | None:
    """Return the Python codec for the character set of a `Content-Type`; None when it is unknown or missing."""
    name = _APART.sub("_", _named(content_type).lower()).strip("_")
    name = aliases.get(name, name)
    return name if name in _KNOWN else None


def note(content_type: str) -> dict[str, str]:
    """Return metadata to store with a page whose character set is unknown; empty when it is known or missing."""
    named = _named(content_type)
    return {"unknown_charset": named, "read_as": FALLBACK} if named and find(content_type) is None else {}


def _named(content_type: str) -> str:
    found = _PARAMETER.search(content_type)
    return found[1] if found else ""
