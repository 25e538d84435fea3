"""Names as keys: spellings of one name share a key; names that differ in a digit or a code never do.

`"The Acme-Group's"` and `"acme group"` have the key `"acme group"`; `"v1.2"` and `"v1-2"` have different keys.
"""

import re
import unicodedata

MAX_NAME = 200
_POSSESSIVE = re.compile(r"['\u2019]s$")
_ARTICLE = re.compile(r"^(?:the|a|an|der|die|das|le|la|les|el|los)\s+(?=\S)")
# Inside a code a mark distinguishes things (1.2 is not 1-2); elsewhere it is only a way of writing.
_TOKEN = re.compile(r"[\w+#]+(?:[^\w\s]+[\w+#]+)*[+#]*")
_MARKS = re.compile(r"[^\w\s+#]+|_+")
_SPACE = re.compile(r"\s+")
_EDGES = " \t\r\n.,;:!?\"'()[]{}<>\u201c\u201d\u2018\u2019\u201e\u00ab\u00bb*`~|/\\"


def tidy(name: str) -> str:
    """Return a name as it is shown: one line, at most 200 characters, without punctuation around it."""
    line = _SPACE.sub(" ", unicodedata.normalize("NFKC", name)).strip(_EDGES)
    return _POSSESSIVE.sub("", line)[:MAX_NAME].strip()


def key_of(name: str) -> str:
    """Return the key of a name: equal for all its spellings."""
    folded = tidy(name).casefold()
    tokens = [_without_marks(token) for token in _TOKEN.findall(_ARTICLE.sub("", folded))]
    return _SPACE.sub(" ", " ".join(tokens)).strip() or folded


def tokens_of(name: str) -> frozenset[str]:
    """Return the words of a name's key."""
    return frozenset(key_of(name).split(" ")) - {""}


def differ_in_code(one: str, other: str) -> bool:
    """Return True when names differ in a word with a digit or in a non-Latin script: similarity means nothing there."""
    return any(_is_code(token) for token in tokens_of(one) ^ tokens_of(other))


def _without_marks(token: str) -> str:
    return token if any(character.isdigit() for character in token) else _MARKS.sub(" ", token).strip()


def _is_code(token: str) -> bool:
    return any(character.isdigit() for character in token) or not _is_latin(token)


def _is_latin(token: str) -> bool:
    return all("LATIN" in unicodedata.name(character, "") for character in token if character.isalpha())
