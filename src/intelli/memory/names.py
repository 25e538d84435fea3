"""Names as keys: two spellings of one name have the same key, and names that differ in a digit or a code never do."""

import re
import unicodedata

MAX_NAME = 200
_POSSESSIVE = re.compile(r"['\u2019]s$")
_ARTICLE = re.compile(r"^(?:the|a|an|der|die|das|le|la|les|el|los)\s+(?=\S)")
# Inside a code a mark tells things apart (1.2 is not 1-2); elsewhere it is only a way of writing.
_TOKEN = re.compile(r"[\w+#]+(?:[^\w\s]+[\w+#]+)*[+#]*")
_MARKS = re.compile(r"[^\w\s+#]+|_+")
_SPACE = re.compile(r"\s+")
_EDGES = " \t\r\n.,;:!?\"'()[]{}<>\u201c\u201d\u2018\u2019\u201e\u00ab\u00bb*`~|/\\"


def tidy(name: str) -> str:
    """A name as it is shown: one line, without the marks around it."""
    line = _SPACE.sub(" ", unicodedata.normalize("NFKC", name)).strip(_EDGES)
    return _POSSESSIVE.sub("", line)[:MAX_NAME].strip()


def key_of(name: str) -> str:
    """The key of a name, the same for all ways of writing it."""
    folded = tidy(name).casefold()
    tokens = [_token(token) for token in _TOKEN.findall(_ARTICLE.sub("", folded))]
    return _SPACE.sub(" ", " ".join(tokens)).strip() or folded


def tokens_of(name: str) -> frozenset[str]:
    """The words of a name, as its key has them."""
    return frozenset(key_of(name).split(" ")) - {""}


def differ_in_code(one: str, other: str) -> bool:
    """True when two names differ in a word that has a digit, or in one of another script: such are never alike."""
    return any(_is_code(token) for token in tokens_of(one) ^ tokens_of(other))


def _token(token: str) -> str:
    return token if any(character.isdigit() for character in token) else _MARKS.sub(" ", token).strip()


def _is_code(token: str) -> bool:
    return any(character.isdigit() for character in token) or not _is_latin(token)


def _is_latin(token: str) -> bool:
    return all("LATIN" in unicodedata.name(character, "") for character in token if character.isalpha())
