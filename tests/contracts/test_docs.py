"""What the documentation says is there: its tables are tables, and nothing in them is left open."""

import re
from collections.abc import Iterator

import pytest
from tests.contracts.generate import ROOT

_REFERENCE = sorted((ROOT / "docs" / "reference").glob("*.md"))
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_BAR = re.compile(r"(?<!\\)\|")


@pytest.mark.parametrize("page", _REFERENCE, ids=lambda page: page.name)
def test_every_row_of_a_reference_table_has_the_cells_of_its_header(page):
    assert list(_broken_rows(page.read_text(encoding="utf-8"))) == []


def test_every_event_and_every_field_of_it_is_explained():
    page = (ROOT / "docs" / "reference" / "events.md").read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.endswith("|  |")] == []


def _broken_rows(text: str) -> Iterator[str]:
    """Yields the lines that a table should have as a row and cannot."""
    header = 0
    for line in _FENCED.sub("", text).splitlines():
        begins, ends = line.startswith("|"), line.endswith("|")
        if begins and ends:
            cells = len(_BAR.findall(line))
            header = header or cells
            if cells != header:
                yield line
        elif begins or ends:
            yield line
        if not begins:
            header = 0
