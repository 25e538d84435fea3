"""Prepare the structure of a file that was read before; runs in the process that reads it.

A child loads this module by its name and writes bytes; `collect` parses them and trusts no number in them.
"""

import hashlib
import json
from dataclasses import dataclass

from intelli.library.extraction import untrusted
from intelli.library.extraction.model import Extraction
from intelli.library.structure import document_facts, document_structure, packed_structure
from intelli.library.structure.document_facts import DocumentFacts

MODULE = __name__
_HEADER_BYTES = 1 << 20
_MOST_CHARS = 1 << 31
_HASH_CHARS = 64


@dataclass(frozen=True, slots=True)
class PreparedStructure:
    """The structure of a text, what the document tells of itself, and the hash of the text that both are of."""

    text_sha256: str
    structure: bytes
    facts: DocumentFacts


def prepare() -> None:
    """Load what is needed before children are forked."""
    document_structure.build(Extraction(".", (), "text/plain"))


def build(extraction: Extraction) -> PreparedStructure:
    """Build the prepared structure of an extraction. CPU-bound."""
    structure = document_structure.build(extraction)
    facts = document_facts.find_facts(extraction, structure)
    return PreparedStructure(
        hashlib.sha256(extraction.text.encode()).hexdigest(), packed_structure.pack(structure), facts
    )


def dump(extraction: Extraction) -> bytes:
    """Build the prepared structure of an extraction and serialise it, for `collect` in the parent process."""
    made = build(extraction)
    header = {
        "text_sha256": made.text_sha256,
        "chars": len(extraction.text),
        "facts": document_facts.dump(made.facts),
    }
    return b"\n".join((json.dumps(header).encode(), made.structure))


def collect(packed: bytes) -> PreparedStructure:
    """Parse and check what a child wrote. Raises ValueError when anything in it is invalid."""
    line, _, structure = packed.partition(b"\n")
    header = untrusted.check_object(untrusted.parse(line, most_bytes=_HEADER_BYTES), ("text_sha256", "chars", "facts"))
    chars = untrusted.check_int(header["chars"], 0, _MOST_CHARS)
    packed_structure.unpack(structure, chars=chars)
    return PreparedStructure(
        untrusted.check_text(header["text_sha256"], _HASH_CHARS),
        structure,
        document_facts.load(header["facts"], chars=chars),
    )
