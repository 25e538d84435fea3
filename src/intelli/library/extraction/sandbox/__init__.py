"""Untrusted files are parsed in a process of their own, one for each file, that can harm nothing but itself.

`Extractor` is the face. Behind it stands a zygote: a process that has the parsers loaded and forks for each file.
"""

from intelli.library.extraction.sandbox.caps import Caps
from intelli.library.extraction.sandbox.child_step import ChildStep
from intelli.library.extraction.sandbox.extractor import Extractor, ExtractorDown

__all__ = ["Caps", "ChildStep", "Extractor", "ExtractorDown"]
