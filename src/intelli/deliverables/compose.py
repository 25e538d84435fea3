"""Compose the paper of a kind from a brief and write it as GML, whole or as far as it is final.

Pure functions of plain values, so that they can run in a process of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from intelli.deliverables import gml, kinds, prose
from intelli.deliverables.brief import DataBrief, Section
from intelli.deliverables.paper import Block, Heading, Paper

# The heading of a section that is still being written. No text has this character by itself.
_PENDING = "\ufffc"


@dataclass(frozen=True, slots=True)
class ComposedPaper:
    """A paper, and its GML block by block."""

    paper: Paper
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CertainPart:
    """The final part of an unfinished paper: its first blocks, and how many sections it will have."""

    title: str
    pieces: tuple[str, ...]
    sections: int


def compose(kind: str, brief: DataBrief) -> ComposedPaper:
    """The whole paper of a kind."""
    paper = kinds.compose(kinds.kind_of(kind), brief)
    return ComposedPaper(paper, tuple(gml.pieces(paper)))


def compose_certain(kind: str, brief: DataBrief, pending: Sequence[str]) -> CertainPart:
    """The paper up to the first section that is still being written."""
    told = tuple(each for each in brief.sections if each.task not in pending)
    waiting = tuple(Section(task=task, heading=_PENDING, paragraphs=()) for task in pending)
    paper = kinds.compose(kinds.kind_of(kind), brief.model_copy(update={"sections": (*told, *waiting)}))
    begun = paper.model_copy(update={"blocks": tuple(takewhile(_is_written, paper.blocks))})
    return CertainPart(brief.title, tuple(gml.pieces(begun)), prose.sections(paper))


def compose_chapters(kind: str, brief: DataBrief) -> tuple[str, ...]:
    """The pieces of the chapters that are written, without what comes over and after them."""
    bare = brief.model_copy(update={"metrics": (), "open_questions": ()})
    paper = kinds.compose(kinds.kind_of(kind), bare)
    begun = paper.model_copy(update={"blocks": tuple(each for each in paper.blocks if each.type != "sources")})
    return tuple(gml.pieces(begun))


def _is_written(block: Block) -> bool:
    return not (isinstance(block, Heading) and block.text == _PENDING)
