"""List documents with what each tells of itself."""

from collections.abc import Iterator, Sequence

from intelli.reasoning.document_answers.document_phrases import DocumentPhrases
from intelli.reasoning.document_answers.source_document import AnswerLine, CitedRange, SourceDocument
from intelli.reasoning.document_answers.told_facts import tell_below_title, tell_facts, tell_table
from intelli.reasoning.document_answers.whole_sentences import sentences_of, shown, title_of

_LONGEST = 160
# Of title, date and parties so many say what a document is; of another its first statement is told, too.
_ENOUGH = 2


def list_folder(documents: Sequence[SourceDocument], said: DocumentPhrases) -> tuple[AnswerLine, ...]:
    """Return a line for each document, by name."""
    by_name = sorted(range(len(documents)), key=lambda at: documents[at].name.casefold())
    return tuple(line for at in by_name for line in _line(documents[at], at, said))


def _line(document: SourceDocument, at: int, said: DocumentPhrases) -> Iterator[AnswerLine]:
    told = [tell_facts(document, at, said)]
    if sum(map(bool, (title_of(document), document.date, document.parties))) < _ENOUGH:
        told.append(tell_below_title(document, at) or _first_sentence(document, at) or tell_table(document, at, said))
    lines = [each for each in told if each is not None] or list(_first_line(document, at))
    if lines:
        text = " \u2013 ".join(dict.fromkeys(each.text for each in lines))
        yield AnswerLine(f"{document.name}: {text}", tuple(cited for each in lines for cited in each.cited))


def _first_sentence(document: SourceDocument, at: int) -> AnswerLine | None:
    for sentence in sentences_of(document):
        if sentence.is_alone:
            return AnswerLine(sentence.text, (CitedRange(at, sentence.start, sentence.end),))
    return None


def _first_line(document: SourceDocument, at: int) -> Iterator[AnswerLine]:
    """Yield the first line of a document that tells nothing of itself."""
    for piece in document.pieces:
        line = document.text[piece.start : piece.end].partition("\n")[0]
        if shown(line):
            yield AnswerLine(f"“{shown(line)[:_LONGEST]}”", (CitedRange(at, piece.start, piece.start + len(line)),))
            return
