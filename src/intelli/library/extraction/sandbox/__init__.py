"""Sandboxed parsing: each untrusted file is parsed in a confined process of its own.

`Extractor` is the interface. It starts a zygote, a process that has the parsers loaded and forks a child per file.
"""

from intelli.library.extraction.sandbox.caps import Caps
from intelli.library.extraction.sandbox.child_step import ChildStep
from intelli.library.extraction.sandbox.extractor import Extractor, ExtractorDown

__all__ = ["Caps", "ChildStep", "Extractor", "ExtractorDown"]
