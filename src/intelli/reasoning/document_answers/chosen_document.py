"""Choose the document that a question means: by its name, its kind, its title and its period."""

import re
from collections.abc import Sequence

from intelli.language import dates, periods, words
from intelli.reasoning.document_answers.question import DocumentQuestion, is_document_word, word_lists, words_of_kind
from intelli.reasoning.document_answers.source_document import SourceDocument
from intelli.reasoning.document_answers.whole_sentences import title_of

# The letterhead and the lines below the title.
_OPENING = 200
# So far a document tells its date where it is not known.
_DATED = 600
# Without a word such as "report", so much of a name or a title has to be said that nothing else is meant.
_LEAST_NAMED = 0.5
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,5}$")
_PARTS = re.compile(r"[_\-.]+|(?<=[a-z])(?=[A-Z0-9])|(?<=\d)(?=[A-Za-z])")
_POINTS = re.compile(
    r"\b(?:this|that|these|diese[mnrs]?|jene[mnrs]?|ce|cette|est[ea]|quest[oa]|dit|deze)\b", re.IGNORECASE
)


def choose(question: DocumentQuestion, documents: Sequence[SourceDocument], *, is_focus: bool) -> int | None:
    """Return the index of the document that a question means; None where none does, or several do alike.

    One that is in focus alone is meant by "this report", and by all that does not tell of something else.
    """
    if is_focus and len(documents) == 1:
        return 0 if _matches(question, documents[0], is_focus=True) else None
    found = [
        (score, at) for at, document in enumerate(documents) if (score := _matches(question, document, is_focus=False))
    ]
    if _POINTS.search(question.topic) or not found:
        return None
    best = max(score for score, _ in found)
    alike = [at for score, at in found if score == best]
    return alike[0] if len(alike) == 1 else None


def _matches(question: DocumentQuestion, document: SourceDocument, *, is_focus: bool) -> float:
    """Return how well a document fits the words of a question; 0 where one of them speaks of something else."""
    days, rest = _take_days(question.topic)
    times = [each for each in periods.periods_of(rest) if each.first_year is not None]
    if any(not _is_of(document, each) for each in times) or any(not _is_of_day(document, each) for each in days):
        return 0
    for each in reversed(times):
        rest = f"{rest[: each.start]} {rest[each.end :]}"
    said = [word for word in _PARTS.sub(" ", _EXTENSION.sub("", rest)).split() if word]
    kinds = [word for word in said if word.lower() in word_lists()["kinds"]]
    names = _terms(_names(document), question)
    if not is_focus and any(not names & _terms(" ".join(words_of_kind(word)), question) for word in kinds):
        return 0
    terms = _terms(" ".join(word for word in said if not is_document_word(word)), question)
    named = _share_named(document, terms | _terms(" ".join(kinds), question), question)
    is_pointed_at = bool(kinds or days) or any(is_document_word(word) for word in said)
    if (terms and not is_pointed_at and named < _LEAST_NAMED) or terms - names - _opening(document, question):
        return 0
    if is_focus:
        return 1
    known = len(terms & names) + len(kinds)
    is_whole = named == 1 and bool(known)
    return known + len(times) + len(days) + is_whole + len(terms & _terms(document.name, question)) / 10 if known else 0


def _opening(document: SourceDocument, question: DocumentQuestion) -> set[str]:
    return _terms(document.text[:_OPENING], question)


def _take_days(topic: str) -> tuple[list[dates.Day], str]:
    """Return the days that a topic tells, and the rest of it."""
    days = [each for each in dates.dates_of(topic) if each.year is not None and each.day is not None]
    for each in reversed(days):
        topic = f"{topic[: each.start]} {topic[each.end :]}"
    return days, topic


def _is_of_day(document: SourceDocument, asked: dates.Day) -> bool:
    """Whether a document is of a day, by its date, else by those that its name or its first lines tell."""
    day = (asked.year, asked.month, asked.day)
    if document.day is not None:
        return (document.day.year, document.day.month, document.day.day) == day
    told = dates.dates_of(f"{_PARTS.sub(' ', document.name)}\n{document.text[:_DATED]}")
    return any((each.year, each.month, each.day) == day for each in told)


def _share_named(document: SourceDocument, terms: set[str], question: DocumentQuestion) -> float:
    """Return how much of the name or the title of a document some words are."""
    title = title_of(document)
    named = [_EXTENSION.sub("", document.name), document.words(title) if title else ""]
    known = [{each for each in _terms(words_of_it, question) if not each.isdigit()} for words_of_it in named]
    return max((len(terms & each) / len(each) for each in known if each), default=0)


def _is_of(document: SourceDocument, asked: periods.Period) -> bool:
    """Whether a document is of a period, by its facts, its title or its name."""
    title = title_of(document)
    told = f"{_PARTS.sub(' ', document.name)}\n{document.words(title) if title else ''}"
    told = f"{told}\n{document.period.words if document.period else ''}"
    if any(each.key == asked.key for each in periods.periods_of(told)):
        return True
    years = set(periods.years_of(told)) | ({document.day.year} if document.day else set())
    return not asked.part and asked.first_year in years


def _names(document: SourceDocument) -> str:
    title = title_of(document)
    facts = [each.words for each in (document.kind, document.period, document.date, *document.parties) if each]
    return "\n".join((document.name, document.words(title) if title else "", *facts))


def _terms(text: str, question: DocumentQuestion) -> set[str]:
    """The terms of a text, also of the parts of names that are written together."""
    return {*words.terms_of(text, question.language), *words.terms_of(_PARTS.sub(" ", text), question.language)}
