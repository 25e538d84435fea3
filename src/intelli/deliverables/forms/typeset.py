"""Typeset a PDF with Typst from files in memory; text reaches it as values of a JSON file, never as markup."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from intelli.deliverables import assets

_UNIVERSAL_ACCESS = "ua-1"
# A word longer than a line would run out of the page.
_LONG_WORD = re.compile(r"[^\s\u200b]{28}(?=[^\s\u200b])")


def typeset(files: Mapping[str, bytes]) -> bytes:
    """Compile with the checks for universal access; when text without a font fails them, tagged without that claim."""
    import typst

    # Its types do not know that it takes several files.
    compile_files: Callable[..., bytes] = typst.compile
    try:
        return compile_files(dict(files), font_paths=_fonts(), pdf_standards=_UNIVERSAL_ACCESS)
    except typst.TypstError:
        return compile_files(dict(files), font_paths=_fonts())


@cache
def _fonts() -> list[str | Path]:
    fonts = assets.font_directory()
    return [fonts] if fonts is not None else []


def insert_breaks(text: str) -> str:
    """Insert break opportunities into words that are longer than a line."""
    return _LONG_WORD.sub(lambda match: f"{match[0]}\u200b", text)
