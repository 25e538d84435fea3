"""Document: the report in one column, for printing."""

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.kinds import report
from intelli.deliverables.paper import Block, Paper, Row


def compose(brief: DataBrief) -> Paper:
    """The report; what stands beside a section there follows it here."""
    paper = report.compose(brief)
    blocks: list[Block] = []
    for block in paper.blocks:
        blocks += [*block.primary, *block.sidebar] if isinstance(block, Row) else [block]
    return paper.model_copy(update={"blocks": tuple(blocks)})
