"""Reads a file in the test's own process, and shows what came out in a form that tests can compare."""

from collections.abc import Callable
from pathlib import Path

import pytest

from intelli.library.extraction import extract
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Block, Extraction

Read = Callable[..., Extraction]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Extracts bytes or text, and checks what must hold for every extraction."""

    def read(content: bytes | str, name: str | None = None, **limits: int) -> Extraction:
        path = tmp_path / "content"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        extraction = extract(path, name=name, limits=Limits(**limits))
        check(extraction)
        return extraction

    return read


def check(extraction: Extraction) -> None:
    """Blocks stand in order, do not overlap and are not blank; pages are what lies between form feeds."""
    position = 0
    for block in extraction.blocks:
        assert position <= block.start < block.end <= len(extraction.text)
        assert extraction.text[block.start : block.end].strip()
        position = block.end
    if extraction.pages:
        pages = [extraction.text[page.start : page.end] for page in extraction.pages]
        assert "\f".join(pages) == extraction.text
    assert "\r" not in extraction.text
    assert "\0" not in extraction.text
    extraction.text.encode()


def shown(extraction: Extraction) -> list[tuple[str, str]]:
    """Kind and text of each block."""
    return [(str(block.kind), words(extraction, block)) for block in extraction.blocks]


def words(extraction: Extraction, block: Block) -> str:
    return extraction.text[block.start : block.end]
