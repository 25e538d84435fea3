"""GML: the text format of a paper; parsed, written whole, or streamed block by block."""

from intelli.deliverables.gml.read import parse
from intelli.deliverables.gml.write import pieces, write

__all__ = ["parse", "pieces", "write"]
