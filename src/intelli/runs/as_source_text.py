"""Conversion of a found passage to the text that a reasoner reads."""

from intelli.content.passage import Passage
from intelli.reasoning.values import SourceText


def as_source_text(passage: Passage) -> SourceText:
    """Convert a found passage to the reasoner's input."""
    return SourceText(
        identifier=passage.identifier,
        title=passage.title,
        text=passage.text,
        page=passage.page,
        section=passage.section,
        header=passage.header,
        is_cut=passage.is_cut,
        dated=passage.dated,
        asides=passage.asides,
        origin=passage.origin,
        amends=passage.amends,
    )
