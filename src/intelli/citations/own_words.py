"""Recognise statements that need no citation: that sources are silent, and the writer's own reckoning."""

import re
from functools import cache

from intelli.citations.wire import StatementKind
from intelli.language.languages import languages
from intelli.language.negation import is_negated

# What is silent, or what is not done there: "nothing in the files says", "Nirgends ist angegeben".
_SOURCES = re.compile(
    r"\b(?:sources|documents|quellen|unterlagen|dokumenten?|"
    r"indicated|stated|mentioned|disclosed|angegeben|genannt|erw\u00e4hnt|beziffert|hervor)\b"
)


def kind_of(sentence: str) -> StatementKind | None:
    """Return whether a sentence says that sources are silent, or that it is the writer's own; None for all others."""
    low = " ".join(sentence.casefold().split())
    if _pattern("absence").search(low) or (_SOURCES.search(low) and is_negated(low)):
        return StatementKind.ABSENCE
    return StatementKind.OWN if _pattern("own").search(low) else None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """A pattern of all phrases of a list, in every language; "…" in a phrase stands for some words."""
    phrases = sorted({phrase for language in languages().values() for phrase in getattr(language, name)}, key=len)
    spaced = (r"\b(?:[\w'-]+ ){1,4}".join(map(re.escape, phrase.split("… "))) for phrase in reversed(phrases))
    return re.compile(rf"(?<!\w)(?:{'|'.join(spaced) or '(?!)'})(?!\w)")
