"""Report: summary, key figures, a section for each task with its charts and tables, and the sources."""

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.kinds import chapters, sections
from intelli.deliverables.labels import labels
from intelli.deliverables.paper import Block, Paper, Row

_MOST_BESIDE = 4


def compose(brief: DataBrief) -> Paper:
    """The paper of a report; figures of a section that are not at the top stand beside it."""
    if brief.chapters:
        return chapters.paper(brief)
    top = sections.strip(brief)
    # Who reads only the beginning has to know what is in dispute.
    blocks: list[Block] = [*sections.summary(brief), *sections.metrics(top), *sections.disagreements(brief)]
    exhibits = sections.exhibits(brief)
    drawn = {point.citation for series in brief.series for point in series.points}
    told = sections.tasks(brief)
    for task, findings in told:
        blocks.append(sections.heading(sections.title_of(task, brief, is_only=len(told) == 1)))
        cited = {each for finding in findings for each in finding.citations} - drawn
        beside = [each for each in brief.metrics if each.citation in cited and each not in top][:_MOST_BESIDE]
        said = tuple(sections.prose(task, findings, brief))
        blocks += [Row(primary=said, sidebar=tuple(sections.metrics(beside)))] if len(beside) > 1 else said
        blocks += exhibits.pop(task, [])
    rest = [block for group in exhibits.values() for block in group]
    if rest:
        blocks += [sections.heading(labels(brief.language).data), *rest]
    blocks += [*sections.quotes(brief, 2), *sections.timeline(brief)]
    return sections.paper(brief, [*blocks, *sections.closing(brief)])
