"""Split the prose of documents into whole sentences, with their places, and the headings above them."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intelli.language import dates, guesses, sentences, words
from intelli.reasoning.document_answers.source_document import PieceRole, SourceDocument, SourcePiece

_PROSE = frozenset({PieceRole.PROSE, PieceRole.ITEM})
_HEADS = frozenset({PieceRole.TITLE, PieceRole.HEADING})
_MOST_JOINED = 12
# A word that a line breaks in two, as the reading of a page leaves it.
_BROKEN = re.compile(r"(?<=[a-zäöüß]) -(?:\n|$)")
_GREETING_WORDS = 6
_MARK = re.compile(
    r"(?:[-*\u2022\u2023\u25aa\u2013]|\d{1,3}[.)]|\(?[a-z]\)|\(\d{1,3}\)|\d{1,2}(?:\.\d{1,2}){1,3}\.?)\s+"
)
_LABEL = re.compile(r"(?:\*\*|__)([^*_\n]{2,60})(?:[.:](?:\*\*|__)|(?:\*\*|__):)\s+")
_EMPHASIS = re.compile(r"\*\*|__|`")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SMALL = re.compile(r"\b[a-zäöüßéèàáíóúñç]{2,}\b")
_TELLING_WORD = 4
_LEAST_TAIL = 20
_LEAST_WORDS, _LEAST_LABELLED = 3, 8


@dataclass(frozen=True, slots=True)
class WholeSentence:
    """A sentence of a document: its words as they are shown, its place, and the heading above it.

    `label` is the word or two in bold type that its paragraph begins with; `is_item` that it is one of a list,
    `is_torn` that the end of a line breaks a date of it, which is then not found where it is cited.
    """

    text: str
    start: int
    end: int
    heading: int
    label: str = ""
    is_item: bool = False
    is_torn: bool = False

    @property
    def is_alone(self) -> bool:
        """Whether it can be read alone: it has a beginning, an end, and more than a name."""
        found = len(_WORD.findall(self.text))
        least = _LEAST_LABELLED if ": " in self.text else _LEAST_WORDS
        return not self.is_torn and found >= least and self._is_ended and _SMALL.search(self.text) is not None

    @property
    def is_guess(self) -> bool:
        """Whether its writer only supposes it."""
        return guesses.is_guess(self.text)

    @property
    def _is_ended(self) -> bool:
        is_ended = sentences.is_final(self.text) and not self.text.endswith(":")
        return is_ended or (self.is_item and not self.text.endswith((":", ",")))


def sentences_of(document: SourceDocument) -> list[WholeSentence]:
    """Return the sentences of a document's prose and lists, in order."""
    found: list[WholeSentence] = []
    taken: set[int] = set()
    for at, piece in enumerate(document.pieces):
        if piece.role in _PROSE and at not in taken:
            joined = joined_from(document, at)
            taken.update(joined)
            found += _split(document, [document.pieces[each] for each in joined])
    return found


def title_of(document: SourceDocument) -> SourcePiece | None:
    """Return the piece that is the title, else the first heading that says what the name of the document does.

    Neither is one over a table of contents.
    """
    pieces = document.pieces
    named = [
        piece
        for at, piece in enumerate(pieces)
        if piece.role in _HEADS and not (at + 1 < len(pieces) and pieces[at + 1].role is PieceRole.CONTENTS)
    ]
    titles = [piece for piece in named if piece.role is PieceRole.TITLE]
    if not titles and named and _says_name(document.words(named[0]), document.name):
        return named[0]
    return next(iter(titles), None)


def _says_name(heading: str, name: str) -> bool:
    return any(len(word) >= _TELLING_WORD and word in name.casefold() for word in heading.casefold().split())


def headings_above(document: SourceDocument, heading: int) -> list[int]:
    """Return the indexes of a heading and of those above it, the outermost first."""
    found: list[int] = []
    while heading >= 0 and heading not in found:
        found.append(heading)
        heading = document.pieces[heading].heading
    return found[::-1]


def shown(said: str) -> str:
    """Return words of a document without marks of Markdown, on one line."""
    return " ".join(_EMPHASIS.sub("", said).lstrip("#").split())


def joined_from(document: SourceDocument, at: int) -> list[int]:
    """Return the index of a piece of prose, with those of the pieces that go on with its sentence."""
    found = [at]
    heading = document.pieces[at].heading
    for index in range(at + 1, min(at + 1 + 2 * _MOST_JOINED, len(document.pieces))):
        piece = document.pieces[index]
        if piece.role not in _PROSE:
            if piece.role in _HEADS:
                break
            continue
        before = document.words(document.pieces[found[-1]])
        if before.endswith(",") and len(before.split()) <= _GREETING_WORDS and len(found) == 1:
            break  # "Dear Ms Ellery," is no part of the sentence below it
        is_open = piece.heading == heading and piece.role is PieceRole.PROSE and _breaks_off(before)
        if not piece.continues and not (is_open and index == found[-1] + 1):
            break
        found.append(index)
        if len(found) == _MOST_JOINED:
            break
    return found


def _breaks_off(said: str) -> bool:
    """Whether a line stops within a sentence: with a little word, or behind a sentence that has an end."""
    if sentences.is_final(said) or not said[-1:].isalnum():
        return False
    ends = sentences.split(said)
    if len(ends) > 1 and ends[-1].end - ends[-1].start >= _LEAST_TAIL:
        return True
    last = said.rpartition(" ")[2]
    return last.islower() and last.isalpha() and not words.terms_of(last, words.language_of(said))


def _split(document: SourceDocument, pieces: Sequence[SourcePiece]) -> Iterator[WholeSentence]:
    """Yield the sentences of pieces that belong together."""
    text, places = flow_of(document, pieces)
    is_item = pieces[0].role is PieceRole.ITEM
    mark = _MARK.match(text)
    begin = mark.end() if mark and (is_item or "." in mark[0][:-2] or mark[0].startswith("(")) else 0
    label = _LABEL.match(text, begin)
    begin = label.end() if label else begin
    found = sentences.split(text[begin:])
    is_item = is_item and len(found) == 1 and not _is_followed_by_prose(document, pieces[-1])
    for each in found:
        start, end = begin + each.start, begin + each.end
        told = shown(text[start:end])
        yield WholeSentence(
            text=told,
            start=places[start],
            end=places[end - 1] + 1,
            heading=pieces[0].heading,
            label=label[1].rstrip(".:") if label else "",
            is_item=is_item,
            is_torn=_is_torn(told, document.text[places[start] : places[end - 1] + 1]),
        )


def _is_torn(told: str, written: str) -> bool:
    return " -" in written and len(dates.dates_of(told)) != len(dates.dates_of(written))


def _is_followed_by_prose(document: SourceDocument, piece: SourcePiece) -> bool:
    """Whether prose stands right below an item: its last line may be what the item breaks off before."""
    after = bisect_left(document.pieces, piece.end, key=lambda each: each.start)
    if after == len(document.pieces):
        return False
    return document.pieces[after].role is PieceRole.PROSE and document.pieces[after].heading == piece.heading


def flow_of(document: SourceDocument, pieces: Sequence[SourcePiece]) -> tuple[str, list[int]]:
    """Return the words of pieces on one line, and for each character its place in the document."""
    found: list[tuple[str, int]] = []
    for piece in pieces:
        said = document.text[piece.start : piece.end]
        if found and said[:1].islower() and "".join(sign for sign, _ in found[-3:]).endswith(" -"):
            del found[-2:]
        elif found:
            found.append((" ", piece.start))
        broken = {
            at
            for each in _BROKEN.finditer(said)
            if said[each.end() : each.end() + 1].islower()
            for at in range(each.start(), each.end())
        }
        found += [
            (" " if sign.isspace() else sign, piece.start + at) for at, sign in enumerate(said) if at not in broken
        ]
    return "".join(sign for sign, _ in found), [at for _, at in found]
