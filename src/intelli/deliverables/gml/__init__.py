"""GML: how a paper is written down, streamed and read again."""

from intelli.deliverables.gml.read import parse
from intelli.deliverables.gml.write import pieces, write

__all__ = ["parse", "pieces", "write"]
