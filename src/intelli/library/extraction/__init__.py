"""Extraction: reads files of any supported format into one text that can be cited, with a span map.

`extract` parses untrusted bytes: it must run in the child of a `sandbox.Extractor` and nowhere else.
"""

from pathlib import Path

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Extraction


def extract(path: Path, *, name: str | None, limits: Limits) -> Extraction:
    """Extract the text of a file. Raises Unreadable.

    The content decides the format; `name` only chooses between formats that are plain text.
    """
    from intelli.library.extraction import readers

    return readers.read(path, name=name, limits=limits)
