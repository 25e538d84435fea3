"""Find the documents that tell of something, by the words they have, and the sentence of each that shows it."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from intelli.language import words
from intelli.reasoning.document_answers.document_phrases import DocumentPhrases
from intelli.reasoning.document_answers.question import DocumentQuestion, words_of_kind
from intelli.reasoning.document_answers.source_document import AnswerLine, CitedRange, PieceRole, SourceDocument
from intelli.reasoning.document_answers.whole_sentences import headings_above, sentences_of, shown, title_of

_MOST_LISTED = 20
# Of a topic of three words or more, a section may lack one of each three.
_FEW, _SHARE = 2, 2 / 3
_MAILS = (".eml", ".msg")
_LONGEST_LINE = 160
# Letters by which a word is looked for in a long text, before its inflection is.
_BEGINNING, _LONG = 3, 200_000
_UMLAUTS = str.maketrans("äöüéèêàâáíóúñç", "aoueeeaaaiounc")
# How well something is shown by a sentence, a row of a table, a guess, or the name of a party.
_SENTENCE, _ROW, _GUESS, _PARTY = 5, 3, 2, 1
_HEADS = frozenset({PieceRole.TITLE, PieceRole.HEADING})


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A stretch of a document that says something, and how well that can be shown; `rank` 0 is a bare line."""

    text: str
    start: int
    end: int
    rank: int


@dataclass(frozen=True, slots=True)
class _Mention:
    """The best stretch of a document, and how often it tells of what is asked."""

    at: int
    shown: _Stretch
    times: int


def find_mentions(
    question: DocumentQuestion, documents: Sequence[SourceDocument], said: DocumentPhrases
) -> tuple[AnswerLine, ...]:
    """Return a line for each document that has the words of a topic, the one that has them most often first."""
    of_kind = [_is_of_kind(document, question) for document in documents]
    found = [
        mention
        for at, document in enumerate(documents)
        if (of_kind[at] or not any(of_kind)) and (mention := _find_in(document, at, question, said))
    ]
    found.sort(key=lambda each: (not each.shown.rank, -each.times, -each.shown.rank))
    return tuple(
        AnswerLine(
            f"{documents[each.at].name}: {each.shown.text}", (CitedRange(each.at, each.shown.start, each.shown.end),)
        )
        for each in found[:_MOST_LISTED]
    )


def _is_of_kind(document: SourceDocument, question: DocumentQuestion) -> bool:
    """Whether a document is one of the kind that is asked for: by its kind, its title or its name."""
    if not question.noun:
        return True
    if document.name.casefold().endswith(_MAILS):
        return "mail" in question.noun.casefold()
    title = title_of(document)
    told = f"{document.name.replace('_', ' ')} {document.kind.words if document.kind else ''}"
    told = f"{told} {document.words(title) if title else ''}".casefold()
    asked = words_of_kind(question.noun)
    if set(_terms(told, question)) & set(_terms(" ".join(asked), question)):
        return True
    # "Gewerbemietvertrag" is a "Vertrag".
    return any(word.endswith(kind) for word in told.split() for kind in asked if len(kind) > _BEGINNING)


def _find_in(document: SourceDocument, at: int, question: DocumentQuestion, said: DocumentPhrases) -> _Mention | None:
    asked = [terms for terms in question.alternatives if _may_be_told(document.text, terms)]
    if not asked:
        return None
    sections = [(each, _terms(each.words, question)) for each in _sections(document)]
    stretches = [(each, _terms(each.text, question)) for each in _stretches(document, said)]
    found = [
        mention
        for terms in asked
        if (inside := [section for section, have in sections if _is_told(have, terms, question)])
        and (mention := _rate(at, [each for each in stretches if _is_inside(each[0], inside)], terms))
    ]
    return max(found, key=lambda each: each.times, default=None)


def _rate(at: int, stretches: Sequence[tuple[_Stretch, Sequence[str]]], terms: Sequence[str]) -> _Mention | None:
    """Return the stretch that shows best what is asked; None where each has words of a heading only."""
    rated = [(each, _count(have, terms)) for each, have in stretches]
    best = max(rated, key=lambda each: (each[1] > 0, each[0].rank > 0, each[1], each[0].rank), default=None)
    if best is None or not best[1]:
        return None
    times = sum(count == best[1] and bool(each.rank) >= bool(best[0].rank) for each, count in rated)
    return _Mention(at, best[0], times)


def _is_inside(stretch: _Stretch, sections: Sequence["_Section"]) -> bool:
    """Whether a stretch begins in one of some sections, which are in order."""
    at = bisect_right(sections, stretch.start, key=lambda each: each.start) - 1
    return at >= 0 and stretch.start < sections[at].end


def _may_be_told(text: str, terms: Sequence[str]) -> bool:
    """Whether a long text has the beginnings of the words of a topic, which is seen faster than that it has them."""
    if len(text) <= _LONG:
        return True
    folded = text.casefold().translate(_UMLAUTS)
    return sum(term[:_BEGINNING] in folded for term in terms) >= _least(terms)


@dataclass(frozen=True, slots=True)
class _Section:
    """What stands below one heading, with the words of the headings above."""

    start: int
    end: int
    words: str


def _sections(document: SourceDocument) -> Iterator[_Section]:
    heads = [at for at, piece in enumerate(document.pieces) if piece.role in _HEADS]
    title = title_of(document)
    over = f"{document.words(title)}\n" if title else ""
    starts = [0, *(document.pieces[at].start for at in heads), len(document.text)]
    for number, (start, end) in enumerate(pairwise(starts)):
        if start < end:
            above = headings_above(document, heads[number - 1]) if number else []
            headings = "\n".join(document.words(document.pieces[each]) for each in above[:-1])
            yield _Section(start, end, f"{over}{headings}\n{document.text[start:end]}")


def _stretches(document: SourceDocument, said: DocumentPhrases) -> Iterator[_Stretch]:
    """Yield what can be shown: whole sentences, rows of tables, parties, and single lines as a last resort."""
    for each in sentences_of(document):
        if each.is_alone:
            yield _Stretch(each.text, each.start, each.end, _GUESS if each.is_guess else _SENTENCE - each.is_item)
    for party in document.parties:
        if party.start is not None and party.end is not None:
            yield _Stretch(f"{said.parties}: {party.words}", party.start, party.end, _PARTY)
    for piece in document.pieces:
        for row in piece.lines:
            yield _Stretch(said.row.format(row.text), row.start, row.end, _ROW)
        if piece.role is not PieceRole.CONTENTS:
            yield from _lines(document, piece.start, piece.end, said)


def _lines(document: SourceDocument, start: int, end: int, said: DocumentPhrases) -> Iterator[_Stretch]:
    at = start
    for line in document.text[start:end].splitlines(keepends=True):
        words_of_line = shown(line)
        if words_of_line:
            begin = at + len(line) - len(line.lstrip())
            told = words_of_line[:_LONGEST_LINE].split("<")[0].strip()
            yield _Stretch(said.line.format(told), begin, at + len(line.rstrip()), 0)
        at += len(line)


def _is_told(have: Sequence[str], terms: Sequence[str], question: DocumentQuestion) -> bool:
    """Whether words have enough of a topic; those of a name stand side by side."""
    count = _count(have, terms)
    if count < _least(terms):
        return False
    if not question.is_name:
        return True
    return any(tuple(have[at : at + len(terms)]) == tuple(terms) for at in range(len(have) - len(terms) + 1))


def _least(terms: Sequence[str]) -> int:
    return len(terms) if len(terms) <= _FEW else ceil(len(terms) * _SHARE)


def _count(have: Sequence[str], terms: Sequence[str]) -> int:
    return len(set(have) & set(terms))


def _terms(text: str, question: DocumentQuestion) -> list[str]:
    return words.terms_of(text, question.language)
