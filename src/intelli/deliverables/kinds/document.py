"""A document: the report in one column, for paper."""

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.kinds import report
from intelli.deliverables.kinds.kind import Kind
from intelli.deliverables.paper import Block, Paper, Row
from intelli.deliverables.wire import Kind as Name
from intelli.entities.kinds import EntityType


def compose(brief: DataBrief) -> Paper:
    """The report; what stands beside a section there follows it here."""
    paper = report.compose(brief)
    blocks: list[Block] = []
    for block in paper.blocks:
        blocks += [*block.primary, *block.sidebar] if isinstance(block, Row) else [block]
    return paper.model_copy(update={"blocks": tuple(blocks)})


KIND = Kind(
    name=Name.DOCUMENT,
    pointer="latest-document",
    entity_type=EntityType.GENERATED_DOCUMENT,
    media_type="application/pdf",
    file_name="report.pdf",
    forms=("pdf", "docx"),
    compose=compose,
)
