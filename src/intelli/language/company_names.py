"""Names of companies in texts: words with capitals that end in a legal form, "Nordhaven Logistics GmbH & Co. KG"."""

import re
from dataclasses import dataclass

_FORMS = frozenset(
    {
        *(
            "gmbh",
            "mbh",
            "ag",
            "se",
            "kg",
            "kgaa",
            "ohg",
            "ug",
            "ltd",
            "limited",
            "llc",
            "llp",
            "lp",
            "inc",
            "incorporated",
        ),
        *("corp", "corporation", "plc", "sa", "sas", "sarl", "srl", "spa", "bv", "nv", "ab", "as", "asa", "oy", "oyj"),
        *("aps", "sl", "kft", "zrt", "sro", "pty", "pte", "company"),
    }
)
# Forms that are words as well: they count in capitals, or with a point, only.
_WORDS = frozenset({"se", "as", "ab", "sa", "sl", "company", "limited", "lp"})
_LINKS = frozenset({"&", "and", "und", "of", "de", "der", "f\u00fcr", "et", "co", "co."})
_TOKEN = re.compile(r"[^\s,;:()\"\u201c\u201d\u201e\u00ab\u00bb]+")
_MOST_WORDS = 7
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class CompanyName:
    """A name and where it stands in the text."""

    name: str
    start: int
    end: int


def companies_of(text: str) -> list[CompanyName]:
    """Return the names of companies in the first 4,000 characters of a text, in order, each once."""
    tokens = list(_TOKEN.finditer(text[:_LONGEST]))
    found: dict[str, CompanyName] = {}
    taken = -1
    for at, token in enumerate(tokens):
        if at <= taken or not _is_form(token[0]):
            continue
        last = _last_form(tokens, at)
        first = _first_word(text, tokens, at, after=taken)
        if first < at:
            start, end = tokens[first].start(), tokens[last].end()
            name = " ".join(text[start:end].rstrip(".").split())
            found.setdefault(name.casefold(), CompanyName(name, start, end))
        taken = last
    return list(found.values())


def _is_form(word: str) -> bool:
    bare = word.replace(".", "").rstrip("'\u2019").casefold()
    if bare not in _FORMS:
        return False
    return bare not in _WORDS or word.isupper() or (word[0].isupper() and bare in {"limited", "company"})


def _last_form(tokens: list[re.Match[str]], at: int) -> int:
    """Return the last word of a form of several: "GmbH & Co. KG"."""
    last = at
    for other in range(at + 1, min(at + 4, len(tokens))):
        if _is_form(tokens[other][0]):
            last = other
        elif tokens[other][0].casefold() not in _LINKS:
            break
    return last


def _first_word(text: str, tokens: list[re.Match[str]], at: int, *, after: int) -> int:
    """Return the first word of a name: as far back as words have capitals or link those that have."""
    first = at
    for other in range(at - 1, max(after, at - _MOST_WORDS - 1), -1):
        between = text[tokens[other].end() : tokens[other + 1].start()]
        word = tokens[other][0]
        is_name = word[0].isupper() or word[0].isdigit()
        if between.strip() or "\n\n" in between or not (is_name or word.casefold() in _LINKS):
            break
        if word.endswith(".") and len(word) > 3 and word.casefold() not in _LINKS:
            break
        if is_name:
            first = other
    return first
