"""Questions that a person would ask next, or first, made from what documents tell.

Whether they are answered is checked by whoever shows them.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePath

from pydantic import BaseModel, ConfigDict

from intelli.language import periods, words
from intelli.reasoning.document_answers.source_document import PieceRole, SourceDocument
from intelli.reasoning.document_answers.whole_sentences import shown, title_of
from intelli.reasoning.table_answers.source_table import SourceColumn, SourceTable

_UNIT = re.compile(r"\s?\([^()]{0,40}\)\s*$")
_BELOW = " \u203a "
_NUMBER = re.compile(r"^\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s+(?=\D)")
_LONGEST_LABEL = 40
_LEAST_ROWS, _MOST_ROWS = 3, 40
_MOST_HEADINGS = 40
_LONGEST_TITLE = 70


class _Asking(BaseModel):
    """How questions are asked in one language; `headings` by the words of a heading that they are about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    year: str
    label: str
    amendment: str
    summary: str
    course: str
    highest: str
    about: str
    inside: str
    of_year: str
    headings: dict[str, str]


@dataclass(frozen=True, slots=True)
class AnsweredFrom:
    """What an answer was made from: its question and text, the years and headings at hand, labels of rows, amendments.

    `cited_years` are those over the passages that it cites, `amendments` names of documents that change one of these.
    """

    question: str
    text: str
    years: Sequence[int] = ()
    cited_years: Sequence[int] = ()
    headings: Sequence[str] = ()
    labels: Sequence[str] = ()
    amendments: Sequence[str] = ()


def list_next(answered: AnsweredFrom) -> list[str]:
    """Return questions that may come next, the likeliest first: another year, what changed, another row, a chapter."""
    asking = _asking(words.tongue_of(answered.question))
    made = [
        *(form.format(_name(each)) for each in answered.amendments for form in (asking.amendment, asking.summary)),
        *_other_years(answered, asking),
        *_other_labels(answered, asking),
        *_of_headings(answered.headings, asking, told=f"{answered.question}\n{answered.text}"),
    ]
    known = _key(answered.question)
    return [each for each in dict.fromkeys(made) if _key(each) != known]


def list_first(document: SourceDocument, tables: Sequence[SourceTable]) -> list[str]:
    """Return questions that a document may answer, those that only it answers first."""
    asking = _asking(words.tongue_of(document.text[:2_000]))
    headings = [document.words(piece) for piece in document.pieces if piece.role is PieceRole.HEADING]
    title = title_of(document)
    name = shown(document.text[title.start : title.end]).strip("# ") if title else ""
    name = name if 0 < len(name) <= _LONGEST_TITLE else _name(document.name)
    return [
        *(each for table in tables[:2] for each in _of_table(table, asking, year=_year_of(document, name))),
        *(asking.inside.format(each, name) for each in _of_headings(headings, asking, told="")),
        asking.about.format(name),
    ]


def _other_years(answered: AnsweredFrom, asking: _Asking) -> Iterator[str]:
    """Yield the question for the year before, else for another one."""
    asked = periods.years_of(answered.question) or periods.years_of(answered.text) or list(answered.cited_years)
    if len(set(asked)) != 1:
        return
    others = sorted({each for each in answered.years if each != asked[0]}, key=lambda year: (year > asked[0], -year))
    yield from (asking.year.format(year) for year in others[:2])


def _other_labels(answered: AnsweredFrom, asking: _Asking) -> Iterator[str]:
    """Yield the question for another row of a table, where it is about one."""
    low = answered.question.casefold()
    about = [each for each in answered.labels if each.casefold() in low]
    if len(about) == 1:
        others = [each for each in answered.labels if each not in about and len(each) <= _LONGEST_LABEL]
        yield from (asking.label.format(each) for each in others[:1])


def _of_headings(headings: Sequence[str], asking: _Asking, *, told: str) -> Iterator[str]:
    """Yield a question for each heading that names something people ask about, and that was not told."""
    language = words.language_of(told or " ".join(headings[:3]))
    known = set(words.terms_of(told, language))
    for heading in headings[:_MOST_HEADINGS]:
        innermost = _NUMBER.sub("", heading.rsplit(_BELOW, 1)[-1].strip())
        terms = set(words.terms_of(innermost, language))
        for head, question in asking.headings.items():
            wanted = set(words.terms_of(head, language))
            if wanted and wanted <= terms and not wanted & known and len(terms) <= len(wanted) + 1:
                known |= wanted
                yield question


def _of_table(table: SourceTable, asking: _Asking, *, year: int | None) -> Iterator[str]:
    """Yield what a table may be asked: how its first measure went, or which row has most of it."""
    if not _LEAST_ROWS <= len(table.rows) <= _MOST_ROWS or len(table.columns) < 2:
        return
    first = table.columns[0]
    years = [column for column in table.columns[1:] if periods.years_of(column.name)]
    measure = next((column for column in table.columns[1:] if column.is_number and _is_word(column)), None)
    if first.is_time and measure is not None:
        yield asking.course.format(_lower(measure.name))
    elif years and table.rows[0].text(0):
        yield asking.course.format(_lower(table.rows[0].text(0)))
    elif measure is not None and _is_word(first):
        asked = asking.highest.format(_lower(first.name), _lower(measure.name))
        yield asked if year is None else asking.of_year.format(asked.rstrip("?"), year)


def _year_of(document: SourceDocument, name: str) -> int | None:
    """Return the year that a document is of, by its title or its period; None where it tells none, or several."""
    told = set(periods.years_of(f"{name} {document.period.words if document.period else ''}"))
    return told.pop() if len(told) == 1 else None


def _is_word(column: SourceColumn) -> bool:
    name = column.name.strip()
    return 2 < len(name) <= _LONGEST_LABEL and any(map(str.isalpha, name)) and not periods.years_of(name)


def _lower(name: str) -> str:
    """A name within a sentence, without its unit: "Revenue (EUR)" → "revenue", but "EBIT" as it is."""
    name = " ".join(_UNIT.sub("", name).split())
    return name[:1].lower() + name[1:] if name[1:] == name[1:].lower() else name


def _name(name: str) -> str:
    """The name of a document as people say it: "amendment_2.pdf" → "amendment 2"."""
    stem = PurePath(name).stem if "." in name[-6:] else name
    return " ".join(stem.replace("_", " ").replace("-", " ").split())


def _key(question: str) -> frozenset[str]:
    return frozenset(words.terms_of(question, words.language_of(question)))


def _asking(language: str) -> _Asking:
    known = _all_asking()
    return known.get(language, known["en"])


@cache
def _all_asking() -> dict[str, _Asking]:
    tables = tomllib.loads(files(__package__).joinpath("next_questions.toml").read_text(encoding="utf-8"))
    return {code: _Asking.model_validate(table) for code, table in tables.items()}
