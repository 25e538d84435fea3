"""Compile a data brief from the results of a run: figures, series, tables and statements, each stated once.

Pure: the same material gives the same brief, so that a replay writes the same deliverable.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from operator import itemgetter
from urllib.parse import urlencode
from uuid import NAMESPACE_OID, uuid5

from intelli.citations.parse import segments
from intelli.citations.statements import statements_of
from intelli.content.passage import Passage
from intelli.deliverables import brief as briefs
from intelli.deliverables import brief_statements, event_time, metrics
from intelli.deliverables.brief import DataBrief, Finding, Moment
from intelli.deliverables.column_names import named
from intelli.deliverables.quote_citations import QuoteCitations
from intelli.deliverables.sections import sections_of
from intelli.deliverables.sentences import is_closed, sentence, title
from intelli.language import grids, languages, words
from intelli.language.quotes import skeleton
from intelli.reasoning.values import QuotedFinding
from intelli.reasoning.verbs.answer import Answer
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.tabulate import DataTables
from intelli.reasoning.verbs.write import WrittenSection

_MOST_SUMMED_UP = 4
_MOST_MOMENTS = 10
_LEAST_MOMENTS = 3
_MOST_QUOTES = 5
_QUOTED = range(60, 280)
_BULLETS = "-*\u2022\u2023\u25aa\u2013 "
_LEAST_WORDS = 5
# "Some tips: 1. Ask first.": the rest of the list stands elsewhere.
_OPENS_LIST = re.compile(r":\s+\(?1[.)]\s")


@dataclass(frozen=True, slots=True)
class BriefMaterial:
    """Results of a run and the passages it may cite, by identifier; `sections` by the task each was written for."""

    brief: Brief
    answer: Answer
    data: DataTables
    passages: Mapping[str, Passage]
    made_on: date
    workspace: str = ""
    sections: Mapping[str, WrittenSection] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompiledBrief:
    """A data brief, its citations, and the passage of each citation."""

    brief: DataBrief
    references: Mapping[str, Passage]
    passages: Mapping[str, str]

    @property
    def hints(self) -> dict[str, list[str]]:
        """The quotes to look for when the citations are proven: all of each is what was read."""
        return {each.identifier: [each.quote] for each in self.brief.citations}


def compile_brief(material: BriefMaterial) -> CompiledBrief:
    """The data brief of a run."""
    given = material.brief
    hints: dict[str, list[str]] = {}
    for quote in (quote for each in given.findings for quote in each.quotes):
        hints.setdefault(quote.identifier, []).append(quote.text)
    quoting = QuoteCitations(material.passages, hints)
    said = told(given, material.data)
    # In the order in which they are read, for sources are numbered as they are first cited.
    parts: dict[str, Sequence[brief_statements.Part]] = {
        "summary": _summary(material, said, quoting),
        "sections": sections_of(material.sections, said, quoting),
        "findings": _findings(said, quoting),
        "metrics": metrics.metrics(material.data, quoting),
        "series": metrics.series(material.data, quoting),
        "tables": _tables(material.data, quoting),
        "timeline": _timeline(material, quoting),
        "quotes": _quotes(given, quoting),
        "disagreements": _disagreements(given, quoting),
    }
    # What was looked at and then left out is not cited.
    used = {mark for part in parts.values() for _, marks in brief_statements.of_parts(part) for mark in marks}
    references = {name: each for name, each in quoting.references.items() if name in used}
    sources, cited = list_sources(references, quoting.quotes)
    brief = DataBrief(
        title=title(given.title, given.question),
        question=given.question,
        open_questions=_open_questions(material),
        sources=sources,
        citations=cited,
        made_on=material.made_on,
        workspace=material.workspace,
        language=words.language_of(given.question),
        **parts,
    )
    return CompiledBrief(named(brief), references, quoting.passages)


def _open_questions(material: BriefMaterial) -> tuple[str, ...]:
    """What the research left open, and what the sections should tell and could not."""
    missing = (each for section in material.sections.values() for each in section.missing)
    return tuple(dict.fromkeys((*material.brief.open_questions, *missing)))


def told(given: Brief, data: DataTables) -> list[QuotedFinding]:
    """The findings that are told in sentences, each once: not what a table shows, nor headings and scraps."""
    shown = {row.quote for table in data.tables for row in table.rows}
    language = words.language_of(given.question)
    once: dict[str, QuotedFinding] = {}
    for each in given.findings:
        once.setdefault(skeleton(each.text) or each.text, each)
    plain = [each for each in once.values() if not shown.issuperset(quote.text.strip() for quote in each.quotes)]
    return [each for each in plain if _is_whole(each.text, language) and not _is_item(each)] or plain


def _is_item(finding: QuotedFinding) -> bool:
    """Whether a finding is an item of a list that does not end as a sentence does."""
    return finding.quote.lstrip().startswith(tuple(_BULLETS)) and not is_closed(finding.text)


def _is_whole(text: str, language: str) -> bool:
    """Whether a text says something by itself: no heading, no beginning of a list, no question, nothing torn."""
    if text.rstrip().endswith(("?", "\u061f", "\uff1f")) or _OPENS_LIST.search(text) or _is_torn(text):
        return False
    said = text.lower().split()
    little = languages.languages()[language].stop_words
    return language == languages.UNSPACED or (len(said) >= _LEAST_WORDS and any(word in little for word in said))


def _is_torn(text: str) -> bool:
    """Whether a text begins in the middle of a sentence: small, and not as names such as iPhone do."""
    first = text.lstrip(_BULLETS).split(" ", 1)[0]
    return first.isalpha() and first.islower()


def _findings(given: Sequence[QuotedFinding], quoting: QuoteCitations) -> tuple[Finding, ...]:
    found: dict[tuple[str, tuple[str, ...]], Finding] = {}
    for each in given:
        marks = [quoting.cite(quote.identifier, each.text, quote.text) for quote in each.quotes]
        cited = tuple(dict.fromkeys(mark for mark in marks if mark is not None))
        if cited and each.text.strip():
            finding = Finding(text=sentence(each.text), citations=cited, task=each.about)
            found.setdefault((finding.text, cited), finding)
    return tuple(found.values())


def _summary(material: BriefMaterial, told: Sequence[QuotedFinding], quoting: QuoteCitations) -> tuple[Finding, ...]:
    """The short answer: the best of each task where the answer is the sources' own, else how the answer begins."""
    given = material.brief.findings
    own = {skeleton(each.text) for each in given}
    stated = [each for each in statements_of(material.answer.text) if each.ordinals and each.text]
    language = words.language_of(material.brief.question)
    said = [each for each in stated if not grids.is_row(each.text) and _is_whole(each.text, language)]
    if sum(skeleton(each.text) in own for each in said) * 2 >= len(said):
        return _findings(_best_of_tasks(told), quoting)
    cited = _cited_in(material.answer.text)
    found: dict[str, Finding] = {}
    for each in said:
        marks = [quoting.cite(cited[ordinal], each.text) for ordinal in each.ordinals]
        kept = tuple(dict.fromkeys(mark for mark in marks if mark is not None))
        if kept:
            found.setdefault(each.text, Finding(text=sentence(each.text), citations=kept))
    return tuple(found.values())[: _MOST_SUMMED_UP + 2]


def _best_of_tasks(given: Sequence[QuotedFinding]) -> list[QuotedFinding]:
    """The strongest statement of each task, in the order of the plan; those of one task when there is one alone."""
    plain = [each for each in given if not grids.is_row(each.quote)]
    by_task: dict[str, list[QuotedFinding]] = {}
    for each in plain:
        by_task.setdefault(each.about, []).append(each)
    if len(by_task) == 1:
        return sorted(plain, key=lambda each: -each.relevance)[: _MOST_SUMMED_UP - 1]
    return [max(of_task, key=lambda each: each.relevance) for of_task in by_task.values()][:_MOST_SUMMED_UP]


def _cited_in(text: str) -> list[str]:
    return [each.identifier or "" for each in segments(text) if each.ordinal is not None]


def _tables(data: DataTables, quoting: QuoteCitations) -> tuple[briefs.Table, ...]:
    """Tables; what a row rests on stands in its last cell."""
    found: list[briefs.Table] = []
    for each in data.tables:
        rows = []
        for row in each.rows:
            cited = quoting.cite(each.identifier, row.quote, row.quote)
            cells = [briefs.Cell(text=cell) for cell in row.cells]
            rows.append((*cells[:-1], briefs.Cell(text=row.cells[-1], citation=cited)))
        if rows and all(row[-1].citation for row in rows):
            key = metrics.key(each.title, str(len(found)))
            found.append(briefs.Table(key=key, title=each.title, columns=each.columns, rows=tuple(rows)))
    return tuple(found)


def _timeline(material: BriefMaterial, quoting: QuoteCitations) -> tuple[Moment, ...]:
    """Dated events in the order of time; the period of a figure is no event, nor has one without a year a place."""
    measured = {(each.quote, each.period) for each in material.data.metrics}
    quotes = {(each.text, quote.identifier): quote.text for each in material.brief.findings for quote in each.quotes}
    found: dict[tuple[str, str], Moment] = {}
    placed = [
        (time, each) for each in material.brief.timeline if (time := event_time.parse_time(each.when)) is not None
    ]
    for _, each in sorted(placed, key=itemgetter(0)):
        quote = quotes.get((each.what, each.identifier), "")
        if grids.is_row(quote) or any(quote == other and each.when in period for other, period in measured):
            continue
        cited = quoting.cite(each.identifier, each.what, quote)
        if cited is not None:
            moment = Moment(date=each.when, label=sentence(each.what), citation=cited)
            found.setdefault((moment.date, moment.label), moment)
    are_enough = len({date for date, _ in found}) >= _LEAST_MOMENTS
    return tuple(found.values())[:_MOST_MOMENTS] if are_enough else ()


def _quotes(given: Brief, quoting: QuoteCitations) -> tuple[briefs.Quotation, ...]:
    """Words of the sources that another wording stands for in the findings."""
    found = []
    for each in sorted(given.findings, key=lambda finding: -finding.relevance):
        text = " ".join(each.quote.split()).lstrip(_BULLETS)
        is_other = text.rstrip(".") not in " ".join(each.text.split())
        if is_other and len(text) in _QUOTED and not grids.is_row(each.quote):
            cited = quoting.cite(each.identifier, each.quote, each.quote)
            found += [briefs.Quotation(text=text, citation=cited)] if cited else []
    return tuple(found[:_MOST_QUOTES])


def _disagreements(given: Brief, quoting: QuoteCitations) -> tuple[briefs.Contradiction, ...]:
    found = []
    for each in given.disagreements:
        readings = []
        for side in each.readings:
            told_by = (f for f in given.findings if side.value in f.text)
            said = next((q.text for f in told_by for q in f.quotes if q.identifier == side.identifier), "")
            cited = quoting.cite(side.identifier, side.value, said)
            readings += [briefs.ReadValue(value=side.value, citation=cited)] if cited else []
        if len(readings) > 1:
            found.append(briefs.Contradiction(about=each.about, readings=tuple(readings)))
    return tuple(found)


def list_sources(
    references: Mapping[str, Passage], quotes: Mapping[str, str]
) -> tuple[tuple[briefs.ListedSource, ...], tuple[briefs.Cited, ...]]:
    """Each document once, numbered in the order it is first cited, and what is cited of it."""
    sources: dict[str, briefs.ListedSource] = {}
    cited = []
    for each in references.values():
        source = sources.setdefault(each.sha256, _source(len(sources) + 1, each))
        cited.append(
            briefs.Cited(
                id=str(uuid5(NAMESPACE_OID, f"{each.sha256}:{each.identifier}")),
                identifier=each.identifier,
                source=source.number,
                quote=quotes[each.identifier],
                page=each.page,
                section=each.section,
                char_start=each.span.start,
                char_end=each.span.end,
                text_sha256="",
            )
        )
    return tuple(sources.values()), tuple(cited)


def _source(number: int, passage: Passage) -> briefs.ListedSource:
    return briefs.ListedSource(
        number=number,
        document_id=passage.document_id,
        file_name=passage.title,
        mime_type=passage.mime_type,
        sha256=passage.sha256,
        url=_address(passage),
    )


def _address(passage: Passage) -> str | None:
    """Where a source is opened: in the library, or in memory where it was told."""
    if passage.document_id is not None:
        return f"/library?doc={passage.document_id}"
    told = {"group": passage.path, "episode": str(passage.episode_id)}
    return f"/memory?{urlencode(told)}" if passage.episode_id is not None else None
