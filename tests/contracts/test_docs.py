"""The documentation is true: what it names is there, its tables are tables, and nothing in them is left open."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from scripts import architecture_picture
from tests.contracts import named
from tests.contracts.generate import ROOT

from intelli.app import JOBS
from intelli.kit import provenance
from intelli.settings import Settings

_REFERENCE = sorted((ROOT / "docs" / "reference").glob("*.md"))
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_BAR = re.compile(r"(?<!\\)\|")


@pytest.mark.parametrize("page", _REFERENCE, ids=lambda page: page.name)
def test_every_row_of_a_reference_table_has_the_cells_of_its_header(page):
    assert list(_broken_rows(page.read_text(encoding="utf-8"))) == []


def test_every_event_and_every_field_of_it_is_explained():
    page = (ROOT / "docs" / "reference" / "events.md").read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.endswith("|  |")] == []


def test_everything_of_the_repository_that_the_documentation_names_is_there():
    known = {name for name, _ in provenance.iter_fields(Settings)} | {job.name for job in JOBS}
    wrong = [
        f"{each}: {problem}"
        for each in named.named()
        if each.text not in known and (problem := named.problem(each.text)) is not None
    ]
    assert not wrong, "Mend these names, or leave them out:\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("kit.db", False),
        ("kit.db.Database.begin", False),
        ("kit.db.Database.never", True),
        ("kit.nothing", True),
        ("audit.record", False),
        ("tests.contracts.generate", False),
        ("docs/reference", False),
        ("library/sources", False),
        ("docs/nothing.md", True),
        ("test_docs.py", False),
        ("no_such_file.py", True),
        ("Database.begin(who)", False),
        ("UserContext", False),
        ("NobodyDefines", True),
        ("intelli.toml", False),
        ("application/json", False),
        ("np.array", False),
    ],
)
def test_a_name_is_looked_up_where_it_should_be(text, is_wrong):
    assert (named.problem(text) is not None) == is_wrong


def test_every_package_that_the_list_of_dependencies_explains_is_one():
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    python, ui = (re.findall(r"^\| ([^|]+) \|", part, re.MULTILINE) for part in text.split("## UI"))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    packages = (ROOT / "ui" / "package.json").read_text(encoding="utf-8")
    assert [name for name in _listed(python) if name not in project] == []
    assert [name for name in _listed(ui) if f'"{name}' not in packages] == []


def test_the_picture_of_the_architecture_shows_every_room_in_the_order_of_the_import_rules():
    drawn = [box.name for row in reversed(architecture_picture.ROOMS) for box in row]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(each for each in project["tool"]["importlinter"]["contracts"] if each["id"] == "rooms")
    order = [name for layer in reversed(contract["layers"]) for name in re.findall(r"\w+", layer)]
    assert drawn == [name for name in order if name in drawn]
    edges = {box.name for box in architecture_picture.EDGES} | {"cli", "migrations"}
    packages = {path.parent.name for path in (ROOT / "src" / "intelli").glob("*/__init__.py")}
    assert set(drawn) == packages - edges


def test_the_numbers_of_the_picture_stand_where_its_walks_go():
    walked = [step.place for step in (*architecture_picture.DOCUMENT, *architecture_picture.QUESTION)]
    numbered = {number: box.name for row in architecture_picture.ROOMS for box in row for number in box.steps}
    assert numbered == dict(enumerate(walked, 1))


def test_every_picture_that_a_page_shows_is_there():
    lost = [
        f"{page.relative_to(ROOT)}: {source}"
        for page in named.pages()
        for source in re.findall(r'<(?:img|source)\b[^>]*?\bsrc(?:set)?="([^"]+)"', page.read_text(encoding="utf-8"))
        if not (page.parent / source).is_file()
    ]
    assert lost == []


def _listed(cells: list[str]) -> Iterator[str]:
    """Yields the names of the first column of a table, but for its head."""
    for cell in cells:
        if cell != "package":
            yield from (name.partition(" ")[0] for name in cell.split(", "))


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
