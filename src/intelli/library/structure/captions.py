"""Recognises captions: "Table 3: Revenue by segment", and short lines with such a number beside a table."""

import re
from collections.abc import Sequence
from functools import cache

from intelli.language.languages import languages
from intelli.library.extraction.model import PieceKind
from intelli.library.structure.draft_piece import DraftPiece
from intelli.library.structure.text_lines import ends_sentence

_LONGEST = 300
_CHANGED = frozenset({PieceKind.PARAGRAPH, PieceKind.LIST_ITEM, PieceKind.HEADING})
_MARKS = ":.|\u2013\u2014-"


def mark(text: str, drafts: Sequence[DraftPiece]) -> None:
    """Mark the pieces that are captions."""
    for at, draft in enumerate(drafts):
        if draft.kind not in _CHANGED or draft.end - draft.start > _LONGEST:
            continue
        words = text[draft.start : draft.end]
        found = _numbered().match(words)
        if found is None:
            continue
        rest = words[found.end() :].lstrip()
        is_beside = any(_is_table(drafts, other) for other in (at - 1, at + 1))
        if not rest or rest[0] in _MARKS or (is_beside and not ends_sentence(words)):
            draft.kind, draft.level = PieceKind.CAPTION, 0


def _is_table(drafts: Sequence[DraftPiece], at: int) -> bool:
    return 0 <= at < len(drafts) and drafts[at].kind is PieceKind.TABLE


@cache
def _numbered() -> re.Pattern[str]:
    words = "|".join(sorted({word for known in languages().values() for word in known.captions}, key=len, reverse=True))
    number = r"\d{1,3}(?:[.\-]\d{1,3}){0,3}|[IVX]{1,5}|[A-Z](?:\.\d{1,3})?"
    return re.compile(rf"\W{{0,4}}(?:{words})\b\.?[ \u00a0]?(?:{number})[a-z]?(?!\w)", re.IGNORECASE)
