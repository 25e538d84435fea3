"""The shape of the code base: rooms, sizes, promises, and documentation that is complete and true."""

import ast
import json
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest
from packaging.requirements import Requirement
from packaging.version import Version
from tests.contracts import generate, reference
from tests.contracts.generate import ROOT

from intelli.kit import provenance
from intelli.settings import Settings, variable

_MAX_LINES = 400
_DOCS = ROOT / "docs" / "reference"
# Versions below these have known holes; PostgreSQL's own is asked of the running server.
_FLOORS = {
    "starlette": "1.0.1",
    "python-multipart": "0.0.22",
    "pdfminer-six": "20251107",
    "pypdf": "6.0.0",
    "langgraph": "1.0.10",
    "langgraph-checkpoint": "3.0",
    "langchain-core": "1.2.5",
    "mcp": "1.23.0",
    "unstructured": "0.18.18",
}
_NEVER = {"python-jose"}
_OLDEST_PGVECTOR = Version("0.8.2")
_OLDEST_POSTGRES = {16: 16_0005, 18: 18_0000}
# What a store may import of its room; and how bytes are laid out that a query puts together and takes apart.
_BELOW_RULES = {"store", "tables", "errors", "wire"}
_LAYOUTS = {"intelli.retrieval.chunk_terms", "intelli.retrieval.postings"}
_LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
_MACHINE_PATH = re.compile(r"(?<![\w.{/])/(?:work|root|home|Users)/\w")
_REGISTRY = re.compile(r"https?://[\w.-]*(?:pypi|npmjs|registry|artifactory|nexus|mirror)[\w.-]*", re.IGNORECASE)


def test_a_room_is_entered_by_its_rules_only():
    graph = grimp.build_graph("intelli", cache_dir=None)
    trespassers = []
    for target in sorted(graph.modules):
        _, room, *rest = [*target.split("."), ""]
        if not {"tables", "store"} & set(rest):
            continue
        for importer in graph.find_modules_that_directly_import(target):
            joins = rest[0] == "tables" and "store" in importer.split(".")
            gathers = importer == "intelli.migrations.schema"
            if room != "kit" and importer.split(".")[1] != room and not joins and not gathers:
                trespassers.append(f"{importer} -> {target}")
    assert trespassers == []


def test_a_store_imports_no_rule_of_its_room():
    graph = grimp.build_graph("intelli", cache_dir=None)
    imports = [
        (module, target)
        for module in sorted(graph.modules)
        if module.split(".")[2:3] == ["store"]
        for target in sorted(graph.find_modules_directly_imported_by(module))
        if target.split(".")[1] == module.split(".")[1] and target.split(".")[2] not in _BELOW_RULES
    ]
    assert [f"{module} -> {target}" for module, target in imports if target not in _LAYOUTS] == []


def test_no_file_grows_beyond_what_one_can_hold_in_mind():
    long = {_name(path): _lines(path) for path in _python() if _lines(path) > _MAX_LINES}
    assert long == {}


def test_every_module_opens_with_its_promise():
    silent = [_name(path) for path in _python() if not ast.get_docstring(_tree(path))]
    assert silent == []


def test_the_environment_is_read_in_the_settings_and_nowhere_else():
    readers = {
        _name(path)
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(_tree(path))
        if (isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv"})
        or (isinstance(node, ast.ImportFrom) and node.module == "os" and {"environ", "getenv"} & _imported(node))
    }
    assert readers == {"src/intelli/settings.py"}


def test_the_wall_clock_is_read_in_one_place():
    readers = {
        _name(path)
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"datetime.now", "datetime.utcnow", "time.time"}
    }
    assert readers <= {"src/intelli/kit/clock.py", "src/intelli/kit/ids.py"}


def test_everything_generated_is_fresh():
    difference = generate.stale()
    assert not difference, f"{difference}\nRun `make contracts` and commit what changed."


def test_every_error_code_belongs_to_one_kind_and_is_documented():
    page = (_DOCS / "errors.md").read_text(encoding="utf-8")
    kinds = [kind for kind in reference.error_kinds() if "code" in vars(kind)]
    assert [code for code, times in Counter(kind.code for kind in kinds).items() if times > 1] == []
    for kind in kinds:
        assert re.fullmatch(r"[a-z][a-z_]+[a-z]", kind.code), kind
        assert kind.__doc__, kind
        assert f"| `{kind.code}` | {kind.status} |" in page


def test_every_setting_is_documented():
    page = (_DOCS / "settings.md").read_text(encoding="utf-8")
    for name, field in provenance.iter_fields(Settings):
        assert field.description, name
        assert f"| `{name}` | `{variable(name)}` |" in page


def test_every_command_and_every_option_is_documented():
    page = (_DOCS / "cli.md").read_text(encoding="utf-8")
    for path, command in reference.commands():
        assert command.help, path
        assert f"## `{path}" in page
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{path} {parameter.name}"


@pytest.mark.parametrize("name", ["app", "dev", "node", "installer"])
def test_lock_files_pin_hashes_and_name_no_registry(name: str):
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    assert "--find-links" not in text
    entries = _lock_entries(text)
    assert entries
    for entry in entries:
        assert "==" in entry.splitlines()[0], entry
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


def test_what_ships_is_locked_to_what_is_tested():
    app, dev = _versions("app"), _versions("dev")
    assert {name: dev.get(name) for name in app} == app


def test_the_uis_lock_file_pins_hashes_and_names_no_registry():
    lock = json.loads((ROOT / "ui" / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name and not package.get("link")}
    assert packages
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if not package["integrity"].startswith("sha512-")] == []


def test_no_locked_version_has_a_known_hole():
    for lock in ("app", "dev"):
        versions = _versions(lock)
        assert _NEVER & set(versions) == set()
        for name, floor in _FLOORS.items():
            assert versions.get(name, Version("999999999")) >= Version(floor), name


def test_the_database_has_no_known_hole(admin_url: str):
    import psycopg

    with psycopg.connect(admin_url) as connection:
        server = connection.info.server_version
        available = "select default_version from pg_available_extensions where name = 'vector'"
        pgvector = connection.execute(available).fetchone()
    assert server >= _OLDEST_POSTGRES[server // 10_000]
    assert pgvector is not None
    assert Version(pgvector[0]) >= _OLDEST_PGVECTOR


def test_no_file_names_a_path_of_somebodys_machine_or_a_package_registry():
    found = []
    for path in _text_files():
        text = path.read_text(encoding="utf-8")
        found += [f"{_name(path)}: {match.group()}" for match in _MACHINE_PATH.finditer(text)]
        found += [f"{_name(path)}: {match.group()}" for match in _REGISTRY.finditer(text)]
    assert found == []


def test_every_link_of_the_documentation_leads_somewhere():
    broken = [
        f"{_name(page)} -> {target}"
        for page in _tracked()
        if page.suffix == ".md"
        for target in _links(page)
        if not _leads_somewhere(page, target)
    ]
    assert broken == []


def test_the_newest_release_of_the_changelog_is_the_version_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    releases = re.findall(r"^## (\d\S*) - ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert releases[0] == project["version"]
    assert releases == sorted(releases, key=Version, reverse=True)


@cache
def _tracked() -> tuple[Path, ...]:
    """The files of the repository, those not yet committed among them."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60).stdout
    return tuple(path for name in sorted(set(listed.split("\0"))) if name and (path := ROOT / name).is_file())


def _python() -> Iterator[Path]:
    return (path for path in _tracked() if path.suffix == ".py")


def _text_files() -> Iterator[Path]:
    """Everything but pictures, and but this file, which has to name what it looks for."""
    for path in _tracked():
        if path != Path(__file__) and b"\0" not in path.read_bytes()[:4096]:
            yield path


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _imported(node: ast.ImportFrom) -> set[str]:
    return {alias.name for alias in node.names}


def _lock_entries(text: str) -> list[str]:
    """A requirement with the indented lines below it."""
    return [entry for entry in re.split(r"\n(?=\S)", text.strip()) if not entry.startswith("#")]


def _versions(lock: str) -> dict[str, Version]:
    text = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    pins = [Requirement(entry.splitlines()[0].rstrip(" \\")) for entry in _lock_entries(text)]
    return {pin.name.lower(): Version(str(pin.specifier).removeprefix("==")) for pin in pins}


def _links(page: Path) -> Iterator[str]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for match in _LINK.finditer(text):
        target = match.group(1) or match.group(2)
        if "://" not in target and not target.startswith("mailto:"):
            yield target


def _leads_somewhere(page: Path, target: str) -> bool:
    file, _, anchor = target.partition("#")
    found = (page.parent / file).resolve() if file else page
    if not found.exists() or not found.is_relative_to(ROOT):
        return False
    return not anchor or anchor in _anchors(found)


def _anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
