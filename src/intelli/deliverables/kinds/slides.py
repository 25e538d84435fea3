"""Slides: every finding as a point, a few on each slide, each chart or table on a slide of its own."""

from collections.abc import Sequence

from intelli.deliverables.brief import DataBrief, Finding
from intelli.deliverables.kinds import chapters, sections
from intelli.deliverables.labels import labels
from intelli.deliverables.paper import Block, Bullets, Chart, Paper, TableBlock

# So many points stand beside a chart; more have slides of their own.
_MOST_BESIDE = 3


def compose(brief: DataBrief) -> Paper:
    """The paper of a deck."""
    if brief.chapters:
        return chapters.deck(brief)
    said = labels(brief.language)
    blocks: list[Block] = []
    if brief.summary:
        blocks += [sections.heading(said.summary), _points(brief.summary)]
    if top := sections.strip(brief):
        blocks += [sections.heading(said.key_figures), *sections.metrics(top)]
    blocks += sections.disagreements(brief)
    exhibits = sections.exhibits(brief)
    told = sections.tasks(brief)
    summed_up = {(each.text, each.citations) for each in brief.summary}
    for task, findings in told:
        shown = exhibits.pop(task, [])
        if not all((each.text, each.citations) in summed_up for each in findings):
            blocks += [sections.heading(sections.title_of(task, brief, is_only=len(told) == 1)), _points(findings)]
            if len(findings) <= _MOST_BESIDE and shown and isinstance(shown[0], Chart):
                blocks.append(shown.pop(0))
        blocks += _alone(shown)
    for rest in exhibits.values():
        blocks += _alone(rest)
    blocks += sections.timeline(brief)
    return sections.paper(brief, [*blocks, *sections.closing(brief)])


def _points(findings: Sequence[Finding]) -> Bullets:
    """Every statement, a list item by item. What is too long for a slide is shortened there, and none is left out."""
    return Bullets(items=tuple((point,) for each in findings for point in sections.points(each)))


def _alone(exhibits: Sequence[Block]) -> list[Block]:
    """Each chart and table under a heading of its own; a long table goes on over as many slides as it needs."""
    return [
        block
        for each in exhibits
        if isinstance(each, Chart | TableBlock)
        for block in (sections.heading(each.caption), each)
    ]
