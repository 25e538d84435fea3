"""Finds what the documentation names in backticks, and looks up paths, modules and names of this repository."""

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PACKAGE = ROOT / "src" / "intelli"
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PATH = re.compile(r"[\w.-]+(?:/[\w.*-]+)*/?")
_DOTTED = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?:\(.*\))?")
_SCRIPT = re.compile(r"\w+\.(?:py|tsx?)")
_DATA = re.compile(r".+\.(?:toml|md|json|pdf|docx|zip)")
# A word alone could be anything; two are a name of ours, for our words are written apart elsewhere.
_CLASS = re.compile(r"(?:[A-Z][a-z0-9]+){2,}")


@dataclass(frozen=True)
class Named:
    """A piece of text in backticks, and where it stands."""

    page: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}: `{self.text}`"


def pages() -> list[Path]:
    """The pages that people read."""
    return [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def named() -> Iterator[Named]:
    """Yields everything in backticks, but for blocks of code."""
    for page in pages():
        text = _FENCED.sub(lambda block: "\n" * block.group().count("\n"), page.read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), 1):
            for match in _SPAN.finditer(line):
                yield Named(page, number, match.group(1))


def problem(text: str) -> str | None:
    """Returns what is wrong with a text that names something of the repository; None for any other text too."""
    if _SCRIPT.fullmatch(text):
        return None if text in _file_names() else "no file has this name"
    if "/" in text and _PATH.fullmatch(text):
        return _path_problem(text)
    if _CLASS.fullmatch(text):
        return None if text in _classes() else "no module defines it"
    dotted = _DOTTED.fullmatch(text)
    return _name_problem(dotted.group(1).split(".")) if dotted and not _DATA.fullmatch(text) else None


def _path_problem(text: str) -> str | None:
    first = text.partition("/")[0]
    places = [place for place in (ROOT, _PACKAGE, ROOT / "ui" / "src") if (place / first).is_dir()]
    is_there = any(any(place.glob(text.rstrip("/"))) for place in places)
    return None if is_there or not places else "no such path"


def _name_problem(words: list[str]) -> str | None:
    """A name is ours when it begins with a room, a module of the root, or a class."""
    first, *rest = words
    if first in {"intelli", "tests"}:
        return _problem_below(ROOT / "src" if first == "intelli" else ROOT, words)
    if (_PACKAGE / first).is_dir() or (_PACKAGE / f"{first}.py").is_file():
        return _problem_below(_PACKAGE, words)
    if first in _classes():
        is_there = any(rest[0] in _defined(each) for each in _classes()[first])
        return None if is_there else f"{first} has no {rest[0]}"
    return None


def _problem_below(folder: Path, words: list[str]) -> str | None:
    """Follows words through packages to a module, and on to a name in it."""
    first, *rest = words
    package = folder / first
    if not package.is_dir():
        return _problem_within(folder / f"{first}.py", rest)
    if not rest or _problem_within(package / "__init__.py", rest) is None:
        return None
    return _problem_below(package, rest)


def _problem_within(module: Path, words: list[str]) -> str | None:
    name = module.relative_to(ROOT)
    if not module.is_file():
        return f"there is no {name}"
    node: ast.AST = _tree(module)
    for word in words:
        found = _defined(node).get(word)
        if found is None:
            return f"{name} does not define {word}"
        node = found
    return None


def _defined(node: ast.AST) -> dict[str, ast.AST]:
    """The names that the body of a module or class brings, each with what it stands for."""
    names: dict[str, ast.AST] = {}
    for each in getattr(node, "body", ()):
        match each:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names[each.name] = each
            case ast.Import() | ast.ImportFrom():
                names |= {alias.asname or alias.name: each for alias in each.names}
            case ast.Assign(targets=targets):
                names |= {target.id: each for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names[name] = each
    return names


@cache
def _tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


@cache
def _classes() -> dict[str, list[ast.AST]]:
    """What modules of the product define, under its name."""
    found: dict[str, list[ast.AST]] = defaultdict(list)
    for module in _PACKAGE.rglob("*.py"):
        for name, node in _defined(_tree(module)).items():
            if name[0].isupper() and not isinstance(node, ast.ImportFrom | ast.Import):
                found[name].append(node)
    return dict(found)


@cache
def _file_names() -> frozenset[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60).stdout
    return frozenset(Path(name).name for name in listed.split("\0") if (ROOT / name).is_file())
