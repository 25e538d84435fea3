"""Names: one public class name stands in one module, modules say what they do, and docstrings can be read alone."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.contracts.generate import ROOT

_PACKAGE = ROOT / "src" / "intelli"
# Class names that may stand in several modules. This list only shrinks.
_SHARED: set[str] = set()
# Modules whose plain name ends in -ing. This list only shrinks.
_GERUNDS = {
    "citations/wording.py",
    "deliverables/forms/docx/numbering.py",
    "deliverables/rendering.py",
    "kit/content_coding.py",
    "language/numbering.py",
    "library/extraction/docx/numbering.py",
    "retrieval/ranking.py",
}
# Metaphors for which every engineer knows a plain word. Texts for users and database policies may still hold them.
_METAPHORS = re.compile(
    r"(?:^|_)(desks?|notebooks?|shel(?:f|ves)|minds?|errands?|premises|census|strangers?|guests?|portraits?|harvest\w*|armfuls?|"
    r"passports?|strays?|doorstep|hindsight|sayings?)(?:_|$)",
    re.IGNORECASE,
)
_MOST_ENTRIES = 100


@cache
def _modules() -> tuple[tuple[str, ast.Module], ...]:
    paths = sorted(path for path in _PACKAGE.rglob("*.py") if "migrations" not in path.parts)
    return tuple((path.relative_to(_PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


def test_a_public_class_name_stands_in_one_module():
    places: dict[str, list[str]] = defaultdict(list)
    for name, tree in _modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name)
    shared = {name: modules for name, modules in places.items() if _distinct(modules) > 1}
    assert shared.keys() == _SHARED, {name: shared[name] for name in shared.keys() - _SHARED}


def test_modules_are_named_for_what_they_are():
    assert {name for name, _ in _modules() if Path(name).stem.endswith("ing")} == _GERUNDS


def test_no_docstring_leans_on_the_one_before_it():
    leaning = [f"{name}: {text[:80]}" for name, text in _docstrings() if text.startswith("The same")]
    assert leaning == []


@pytest.mark.parametrize("kind", ["module", "class", "function"])
def test_names_are_no_metaphors(kind: str):
    assert [name for name in _names(kind) if _METAPHORS.search(_snake(name.rpartition(":")[2]))] == []


def test_the_glossary_is_short_and_gives_each_word_one_meaning():
    text = (ROOT / "docs" / "explanation" / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| ([^|]+?) \|", text, flags=re.MULTILINE)[1:]
    assert len(words) <= _MOST_ENTRIES
    assert sorted(set(words)) == sorted(words)


def _distinct(modules: list[str]) -> int:
    """Count modules; a room's wire model and its table of one thing count as one."""
    rooms: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        file = module.split("/")[1] if "/" in module else module
        rooms[module.split("/")[0]].add("wire" if file.startswith("wire") else file if file == "tables.py" else module)
    return sum(len(files) - ({"wire", "tables.py"} <= files) for files in rooms.values())


def _docstrings() -> Iterator[tuple[str, str]]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for name, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, kinds):
                yield name, ast.get_docstring(node) or ""


def _names(kind: str) -> Iterator[str]:
    kinds = {"class": (ast.ClassDef,), "function": (ast.FunctionDef, ast.AsyncFunctionDef)}
    for name, tree in _modules():
        if kind == "module":
            yield f"{name}:{Path(name).stem}"
            continue
        for node in ast.walk(tree):
            if isinstance(node, kinds[kind]):
                yield f"{name}:{node.name}"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
