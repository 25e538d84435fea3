"""Marks what follows the words of a mail: earlier mails that it quotes, and the signature."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from intelli.language.languages import languages
from intelli.library.extraction.model import PieceKind
from intelli.library.structure.draft_piece import DraftPiece
from intelli.library.structure.plain_text import is_mail_head
from intelli.library.structure.text_lines import LineSpan, lines_of

_DELIMITERS = frozenset({"--", "-- ", "\u2014", "__"})
_SIGNATURE_LINES = 12
_CLOSING_WORDS = 6
_LEAD_CHARS = 200
_KEPT = frozenset({PieceKind.QUOTED_REPLY, PieceKind.TABLE, PieceKind.FURNITURE})
_BODY = "body"


def mark(text: str, drafts: Sequence[DraftPiece]) -> list[DraftPiece]:
    """Return the pieces with those of mails' bodies marked; one that a signature begins in is cut in two."""
    marked: list[DraftPiece] = []
    for part, group in groupby(drafts, key=lambda draft: draft.block.place.part or ""):
        pieces = list(group)
        marked += _mark_body(text, pieces) if part.rpartition("/")[2] == _BODY else pieces
    return marked


def _mark_body(text: str, pieces: Sequence[DraftPiece]) -> list[DraftPiece]:
    found: list[DraftPiece] = []
    quotes_rest = False
    for at, piece in enumerate(pieces):
        lines = list(lines_of(text, piece.start, piece.end))
        if quotes_rest or is_mail_head(lines):
            quotes_rest = quotes_rest or piece.kind is not PieceKind.QUOTED_REPLY
            piece.kind, piece.level = PieceKind.QUOTED_REPLY, 0
        elif piece.kind is PieceKind.PARAGRAPH and _is_lead(lines):
            follows_marked = at + 1 < len(pieces) and pieces[at + 1].kind is PieceKind.QUOTED_REPLY
            quotes_rest = not follows_marked
            piece.kind = PieceKind.QUOTED_REPLY
        found.append(piece)
    own = next((at for at, piece in enumerate(found) if piece.kind is PieceKind.QUOTED_REPLY), len(found))
    return [*_mark_signature(text, found[:own]), *found[own:]]


def _is_lead(lines: Sequence[LineSpan]) -> bool:
    """Return whether lines lead to an earlier mail: "On 3 May Ada wrote:", "---- Original message ----"."""
    words = " ".join(line.text for line in lines[-2:])
    if len(words) > _LEAD_CHARS or not lines:
        return False
    bare = words.strip("-_=* ").casefold()
    return any(
        (bare.rstrip(":").endswith(phrase) and bare.endswith(":")) or bare == phrase for phrase in _quote_leads()
    )


@cache
def _quote_leads() -> tuple[str, ...]:
    return tuple(phrase for known in languages().values() for phrase in known.quote_leads)


@cache
def _closings() -> frozenset[str]:
    return frozenset(phrase for known in languages().values() for phrase in known.closings)


def _mark_signature(text: str, pieces: Sequence[DraftPiece]) -> Iterator[DraftPiece]:
    """Yield the pieces of the mail's own words; from the line that closes it on they are its signature."""
    lines = [(at, line) for at, piece in enumerate(pieces) for line in lines_of(text, piece.start, piece.end)]
    tail = lines[-_SIGNATURE_LINES:]
    begin = next((each for each in tail if each[1].text in _DELIMITERS), None)
    begin = begin or next((each for each in reversed(tail) if _is_closing(each[1].text)), None)
    if begin is None or begin is lines[0]:
        yield from pieces
        return
    first, line = begin
    yield from pieces[:first]
    cut = pieces[first]
    if line.start > cut.start:
        before = max(other.end for at, other in lines if at == first and other.end <= line.start)
        yield DraftPiece(cut.start, before, cut.kind, cut.block, cut.level)
    yield DraftPiece(line.start, cut.end, PieceKind.SIGNATURE, cut.block)
    for piece in pieces[first + 1 :]:
        if piece.kind not in _KEPT:
            piece.kind, piece.level = PieceKind.SIGNATURE, 0
        yield piece


def _is_closing(line: str) -> bool:
    """Return whether a line closes a letter: "Kind regards,", or "Best regards, Ada"."""
    if len(line.split()) > _CLOSING_WORDS or line.endswith((".", "?")):
        return False
    head, mark, _ = line.partition(",")
    return head.strip(" !,").casefold() in _closings() and (bool(mark) or head == line)
