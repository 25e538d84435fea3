"""Blocks that papers are composed of. Every sentence is a finding with its citation; nothing is added to it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from intelli.deliverables import charts, sentences
from intelli.deliverables.brief import DataBrief, Finding, Metric, Series, Table
from intelli.deliverables.gml.read import make_anchor
from intelli.deliverables.labels import Labels, labels
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Chart,
    Heading,
    Metrics,
    Paper,
    Paragraph,
    QuoteBlock,
    Runs,
    SourcesList,
    TableBlock,
    TextRun,
)

THEN = " \u2013 "  # stands on a timeline between a date and what was then
_MOST_IN_A_PARAGRAPH = 3
_ITEM = re.compile(r"(?:^|\s)[\u2022\u2023\u25aa]\s+")
_MOST_IN_STRIP = 6
_ENDS = " .?!\u2026"


def paper(brief: DataBrief, blocks: Sequence[Block]) -> Paper:
    """A paper of these blocks under the brief's title, its headings with ids of their own."""
    title = Heading(level=1, text=brief.title, id="")
    taken: set[str] = set()
    named = tuple(
        each.model_copy(update={"id": make_anchor(each.text, taken)}) if isinstance(each, Heading) else each
        for each in (title, *blocks)
    )
    return Paper(title=brief.title, blocks=named, language=brief.language)


def heading(text: str) -> Heading:
    """The heading of a section."""
    return Heading(level=2, text=text, id="")


def runs(findings: Sequence[Finding]) -> Runs:
    """Findings as sentences one after the other."""
    return tuple(
        TextRun(text=each.text if number == 0 else f" {each.text}", citations=each.citations)
        for number, each in enumerate(findings)
    )


def summary(brief: DataBrief) -> list[Block]:
    """The short answer, set off."""
    said = labels(brief.language)
    return [Callout(title=said.summary, runs=runs(brief.summary))] if brief.summary else []


def strip(brief: DataBrief) -> tuple[Metric, ...]:
    """The figures that stand at the top: of each name the newest, those with a unit first."""
    newest: dict[tuple[str, str], Metric] = {}
    for each in brief.metrics:
        key = (each.name.lower(), each.entity)
        if key not in newest or each.period > newest[key].period:
            newest[key] = each
    ranked = sorted(newest.values(), key=lambda each: (not each.unit, not each.period))
    return tuple(ranked[:_MOST_IN_STRIP]) if len(ranked) > 1 else ()


def tasks(brief: DataBrief) -> list[tuple[str, list[Finding]]]:
    """The findings by task, in the order of the plan, without those that the short answer says; none is left empty."""
    said = {(each.text, each.citations) for each in brief.summary}
    found = []
    for task, group in groupby(_in_order(brief.findings), key=lambda each: each.task):
        mine = list(group)
        fresh = [each for each in mine if (each.text, each.citations) not in said]
        found.append((task, fresh or mine))
    return found


def _in_order(findings: Sequence[Finding]) -> list[Finding]:
    order = {task: number for number, task in enumerate(dict.fromkeys(each.task for each in findings))}
    return sorted(findings, key=lambda each: order[each.task])


def title_of(task: str, brief: DataBrief, *, is_only: bool) -> str:
    """The heading of a task, or the one it was written under; what is the whole question needs another name."""
    section = brief.section(task)
    is_named = section is not None and section.heading != task
    name = " ".join((section.heading if section is not None and is_named else task).split())
    if not name.strip(_ENDS) or _is_question(name, brief) or (is_only and not is_named):
        return labels(brief.language).findings
    return name[:1].upper() + name[1:] if is_named else sentences.subject(name.rstrip(_ENDS)).rstrip("?")


def _is_question(name: str, brief: DataBrief) -> bool:
    """Whether a name says the whole question again, or how it begins; a part of it is a name."""
    bare, question = name.rstrip(_ENDS).lower(), " ".join(brief.question.split()).rstrip(_ENDS).lower()
    return question.startswith(bare) if name.endswith("\u2026") else question == bare


def prose(task: str, findings: Sequence[Finding], brief: DataBrief) -> list[Block]:
    """What was written of a task, and then the findings that it leaves out."""
    section = brief.section(task)
    if section is None:
        return list(paragraphs(findings, brief))
    written = [Paragraph(runs=runs(each)) for each in section.paragraphs]
    cited = {mark for paragraph in section.paragraphs for said in paragraph for mark in said.citations}
    left_out = [each for each in findings if not cited.intersection(each.citations)]
    return [*written, *paragraphs(left_out, brief)]


def paragraphs(findings: Sequence[Finding], brief: DataBrief) -> Iterator[Block]:
    """Findings source by source, as they stand there, in short paragraphs; what is a list there is one here."""
    place = {each.identifier: (each.source, each.char_start) for each in brief.citations}
    first: dict[int, int] = {}
    for number, each in enumerate(findings):
        first.setdefault(place[each.citations[0]][0], number)
    ordered = sorted(findings, key=lambda each: (first[place[each.citations[0]][0]], place[each.citations[0]][1]))
    for _, group in groupby(ordered, key=lambda each: place[each.citations[0]][0]):
        for is_list, alike in groupby(group, key=_is_list):
            mine = list(alike)
            yield from (block for each in mine for block in _listed(each)) if is_list else _short(mine)


def _short(findings: Sequence[Finding]) -> Iterator[Block]:
    for at in range(0, len(findings), _MOST_IN_A_PARAGRAPH):
        yield Paragraph(runs=runs(findings[at : at + _MOST_IN_A_PARAGRAPH]))


def _is_list(finding: Finding) -> bool:
    return len(_ITEM.findall(finding.text)) > 1


def points(finding: Finding) -> list[TextRun]:
    """A statement; one that opens a list, and then each of its items. All rest on the same words."""
    parts = _ITEM.split(finding.text) if _is_list(finding) else [finding.text]
    return [TextRun(text=part.strip(), citations=finding.citations) for part in parts if part.strip()]


def _listed(finding: Finding) -> Iterator[Block]:
    opening, *items = points(finding)
    if _ITEM.match(finding.text):
        items = [opening, *items]
    else:
        yield Paragraph(runs=(opening,))
    yield Bullets(items=tuple((each,) for each in items))


def chart(series: Series, language: str = "en") -> Chart:
    """A series as a chart, with its values in words for who cannot see it."""
    points = series.points
    is_over_time = charts.kind_of([point.label for point in points]) != "bar"
    is_told = all(each.label in series.title for each in (points[0], points[-1]))
    span = f", {points[0].label}\u2013{points[-1].label}" if is_over_time and not is_told else ""
    caption = f"{charts.title_without_unit(series)}{span}{f' ({series.unit})' if series.unit else ''}"
    values = ", ".join(f"{point.label}: {charts.format_value(point.value, language)}" for point in points)
    cited = tuple(dict.fromkeys(point.citation for point in points))
    return Chart(spec=charts.build_spec(series, language), caption=caption, alt=f"{caption}: {values}", citations=cited)


def table(given: Table) -> TableBlock:
    """A table of the brief."""
    rows = tuple(
        tuple((TextRun(text=cell.text, citations=(cell.citation,) if cell.citation else ()),) for cell in row)
        for row in given.rows
    )
    return TableBlock(caption=given.title, columns=given.columns, rows=rows)


def exhibits(brief: DataBrief) -> dict[str, list[Block]]:
    """Charts and tables by the task whose findings rest on the same documents; the rest under no task."""
    sources = {each.identifier: each.source for each in brief.citations}
    tasks_of: dict[int, Counter[str]] = {}
    for finding in brief.findings:
        for cited in finding.citations:
            tasks_of.setdefault(sources[cited], Counter())[finding.task] += 1

    def home(citations: Sequence[str]) -> str:
        votes = sum((tasks_of.get(sources[each], Counter()) for each in citations), Counter[str]())
        return votes.most_common(1)[0][0] if votes else ""

    found: dict[str, list[Block]] = {}
    for series in brief.series:
        found.setdefault(home([point.citation for point in series.points]), []).append(chart(series, brief.language))
    for each in brief.tables:
        marks = [cell.citation for row in each.rows for cell in row if cell.citation]
        found.setdefault(home(marks), []).append(table(each))
    return found


def timeline(brief: DataBrief) -> list[Block]:
    """Dated events in the order of time."""
    items = tuple(
        (TextRun(text=each.date, bold=True), TextRun(text=f"{THEN}{each.label}", citations=(each.citation,)))
        for each in brief.timeline
    )
    return [heading(labels(brief.language).timeline), Bullets(items=items)] if items else []


def disagreements(brief: DataBrief) -> list[Block]:
    """Where sources give different values, with all of them."""
    items = []
    for each in brief.disagreements:
        sides = [
            TextRun(text=f"{' / ' if number else ': '}{side.value}", citations=(side.citation,))
            for number, side in enumerate(each.readings)
        ]
        items.append((TextRun(text=each.about, bold=True), *sides))
    return [heading(labels(brief.language).disagreements), Bullets(items=tuple(items))] if items else []


def quotes(brief: DataBrief, most: int) -> list[Block]:
    """Sources in their own words."""
    return [QuoteBlock(runs=(TextRun(text=each.text, citations=(each.citation,)),)) for each in brief.quotes[:most]]


def closing(brief: DataBrief) -> list[Block]:
    """What is open, and the place of the sources, which bring their heading with them."""
    said: Labels = labels(brief.language)
    blocks: list[Block] = []
    if brief.open_questions:
        items = tuple((TextRun(text=each),) for each in brief.open_questions)
        blocks += [heading(said.open_questions), Bullets(items=items)]
    return [*blocks, SourcesList()]


def metrics(given: Sequence[Metric]) -> list[Block]:
    """Figures side by side."""
    return [Metrics(metrics=tuple(given))] if given else []
