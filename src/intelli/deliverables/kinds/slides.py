"""Slides: one section a slide, few points on each, a chart or table on one of its own."""

from collections.abc import Sequence

from intelli.deliverables.brief import DataBrief, Finding
from intelli.deliverables.kinds import sections
from intelli.deliverables.kinds.kind import Kind
from intelli.deliverables.labels import labels
from intelli.deliverables.paper import Block, Bullets, Chart, Paper, TableBlock
from intelli.deliverables.wire import Kind as Name
from intelli.entities.kinds import EntityType

_MOST_POINTS = 4
_LONGEST_POINT = 240
_MOST_ROWS = 8


def compose(brief: DataBrief) -> Paper:
    """The paper of a deck."""
    said = labels(brief.language)
    blocks: list[Block] = []
    if brief.summary:
        blocks += [sections.heading(said.summary), _points(brief.summary)]
    if top := sections.strip(brief):
        blocks += [sections.heading(said.key_figures), *sections.metrics(top)]
    exhibits = sections.exhibits(brief)
    told = sections.tasks(brief)
    summed_up = {(each.text, each.citations) for each in brief.summary}
    for task, findings in told:
        if not all((each.text, each.citations) in summed_up for each in findings):
            blocks += [sections.heading(sections.title_of(task, brief, is_only=len(told) == 1)), _points(findings)]
        blocks += _alone(exhibits.pop(task, []))
    for rest in exhibits.values():
        blocks += _alone(rest)
    blocks += [*sections.timeline(brief), *sections.disagreements(brief)]
    return sections.paper(brief, [*blocks, *sections.closing(brief)])


def _points(findings: Sequence[Finding]) -> Bullets:
    """A few statements, those that fit on a slide first; a list item by item."""
    told = [sections.points(each) for each in findings]
    fit = [points for points in told if max(len(point.text) for point in points) <= _LONGEST_POINT] or told
    return Bullets(items=tuple((point,) for points in fit[:_MOST_POINTS] for point in points))


def _alone(exhibits: Sequence[Block]) -> list[Block]:
    """Each chart and table under a heading of its own; of a long table as much as can be read."""
    blocks: list[Block] = []
    for each in exhibits:
        if isinstance(each, Chart):
            blocks += [sections.heading(each.caption), each]
        elif isinstance(each, TableBlock):
            blocks += [sections.heading(each.caption), each.model_copy(update={"rows": each.rows[:_MOST_ROWS]})]
    return blocks


KIND = Kind(
    name=Name.SLIDES,
    pointer="latest-slides",
    entity_type=EntityType.GENERATED_PRESENTATION,
    media_type="application/zip",
    file_name="slides.zip",
    forms=("slides", "pptx"),
    compose=compose,
)
