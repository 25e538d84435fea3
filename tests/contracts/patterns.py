"""Every regular expression of the package, found in its source and evaluated: constants, factories and inline calls."""

import ast
import importlib
import inspect
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from tests.contracts.generate import ROOT

_SOURCE = ROOT / "src"
# What a caller may do with a pattern; the sweeping ones go on behind a match, the others stop at the first.
_SWEEPING = {"finditer", "findall", "sub", "subn", "split"}
METHODS = {"match", "fullmatch", "search"} | _SWEEPING
_CALLS = METHODS | {"compile"}


@dataclass(frozen=True)
class Found:
    """A pattern, where it is written, and the ways in which it meets a text."""

    place: str
    pattern: re.Pattern[Any]
    modes: frozenset[str]


@dataclass(frozen=True)
class _Module:
    name: str
    tree: ast.Module

    @property
    def module(self) -> ModuleType:
        return importlib.import_module(self.name)


@dataclass(frozen=True)
class _Site:
    """One call of the module re, with the statements and functions that it stands in, the outermost first."""

    within: _Module
    call: ast.Call
    parents: tuple[ast.AST, ...]

    @property
    def place(self) -> str:
        return f"{self.within.name}.{_bound(self)}:{self.call.lineno}"

    @property
    def function(self) -> str:
        """Returns the dotted name of the function around the call, "" at the top of a module."""
        named = [
            each for each in self.parents if isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        return ".".join(each.name for each in named) if named and not isinstance(named[-1], ast.ClassDef) else ""


class Recorder:
    """Stands in for the module re and notes which pattern each line of the source asks for."""

    def __init__(self) -> None:
        self.seen: dict[int, list[re.Pattern[Any]]] = {}

    def __getattr__(self, name: str) -> Any:
        real = getattr(re, name)
        return self._noting(real) if name in _CALLS else real

    def _noting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def noted(pattern: Any, *rest: Any, **options: Any) -> Any:
            flags = options.get("flags", rest[0] if real is re.compile and rest else 0)
            self.seen.setdefault(sys._getframe(1).f_lineno, []).append(re.compile(pattern, flags))
            return real(pattern, *rest, **options)

        return noted


def all_patterns(samples: Mapping[str, Sequence[Mapping[str, Any]]]) -> tuple[list[Found], list[str]]:
    """Returns every pattern of the package, and the places whose patterns could not be evaluated.

    `samples` gives arguments, by module and function, for functions that build a pattern from their parameters.
    """
    found, unreached = [], [place for module in _modules() for place in _indirect(module)]
    for site in (site for module in _modules() for site in _sites(module)):
        patterns = _evaluated(site) or _recorded(site, samples)
        if not patterns:
            unreached.append(site.place)
        found += [Found(site.place, pattern, _modes(site)) for pattern in patterns]
    return found, unreached


@cache
def _modules() -> list[_Module]:
    named = [(_name(path), path) for path in sorted((_SOURCE / "intelli").rglob("*.py"))]
    return [_Module(name, ast.parse(path.read_text(encoding="utf-8"))) for name, path in named]


def _name(path: Path) -> str:
    parts = path.relative_to(_SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _sites(module: _Module) -> list[_Site]:
    above = {child: node for node in ast.walk(module.tree) for child in ast.iter_child_nodes(node)}
    calls = [node for node in above if isinstance(node, ast.Call) and _is_of_re(node.func)]
    return [_Site(module, call, _parents(call, above)) for call in calls]


def _parents(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> tuple[ast.AST, ...]:
    return (*_parents(above[node], above), above[node]) if node in above else ()


def _indirect(module: _Module) -> Iterator[str]:
    """Yields the places where regular expressions are reached in a way that hides the pattern from its call."""
    called = {id(site.call.func) for site in _sites(module)}
    for node in ast.walk(module.tree):
        is_import = isinstance(node, ast.ImportFrom) and node.module in {"re", "regex", "re2"}
        is_renamed = isinstance(node, ast.Import) and any(
            each.name in {"regex", "re2"} or (each.name == "re" and each.asname) for each in node.names
        )
        is_passed = isinstance(node, ast.Attribute) and _is_of_re(node) and id(node) not in called
        if is_import or is_renamed or is_passed:
            yield f"{module.name}:{node.lineno}"


def _is_of_re(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr in _CALLS
        and isinstance(node.value, ast.Name)
        and node.value.id == "re"
    )


def _evaluated(site: _Site) -> list[re.Pattern[Any]]:
    """Returns the pattern of a call whose arguments are known without running the code around it."""
    known = vars(site.within.module)
    flags = next((each.value for each in site.call.keywords if each.arg == "flags"), None)
    behind = 1 if _method(site.call) == "compile" else 3 if _method(site.call) in {"sub", "subn"} else 2
    flags = site.call.args[behind] if flags is None and len(site.call.args) > behind else flags
    try:
        pattern = _value(_Escaped().visit(deepcopy(site.call.args[0])), known)
        return [re.compile(pattern, _value(flags, known) if flags else 0)]
    except NameError:
        return []


class _Escaped(ast.NodeTransformer):
    """Puts a word where a pattern holds a text that is only known at run time, escaped."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        is_escape = isinstance(node.func, ast.Attribute) and node.func.attr == "escape"
        return ast.copy_location(ast.Constant("aa"), node) if is_escape else self.generic_visit(node)


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(known))


def _recorded(site: _Site, samples: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[re.Pattern[Any]]:
    """Returns the patterns that the code around a call asks for when it is run."""
    recorder = Recorder()
    known = {**vars(site.within.module), "re": recorder}
    if not site.function:
        statement = next(each for each in site.parents if isinstance(each, ast.stmt))
        exec(compile(ast.Module([statement], []), "<pattern>", "exec"), known)
    for again, arguments in _runs(site, known, samples):
        made = again(**arguments)
        if inspect.isgenerator(made):
            deque(made, maxlen=0)
    lines = range(site.call.lineno, (site.call.end_lineno or site.call.lineno) + 1)
    return [each for line in lines for each in recorder.seen.get(line, [])]


def _runs(
    site: _Site, known: dict[str, Any], samples: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[tuple[FunctionType, Mapping[str, Any]]]:
    """Yields the function around a call, bound to other globals, with each of its sample arguments."""
    function: Any = site.within.module
    for step in site.function.split("."):
        function = inspect.unwrap(getattr(function, step, None) or site.within.module)
    if isinstance(function, FunctionType):
        again = FunctionType(function.__code__, known, None, function.__defaults__, function.__closure__)
        again.__kwdefaults__ = function.__kwdefaults__
        unasked: list[Mapping[str, Any]] = [] if _asks(function) else [{}]
        yield from ((again, given) for given in samples.get(f"{site.within.name}.{site.function}", unasked))


def _asks(function: FunctionType) -> bool:
    return any(each.default is each.empty for each in inspect.signature(function).parameters.values())


def _modes(site: _Site) -> frozenset[str]:
    """Returns the ways in which the pattern of a call is used; every way its readers use any, where it is handed on."""
    method = _method(site.call)
    if method != "compile":
        return frozenset({_mode(method)})
    name = _bound(site)
    readers = [site.within] if name.startswith("_") else _modules()
    modes = {_mode(each) for module in readers for each in _uses(module, name)}
    return frozenset(modes or {"match", "fullmatch", "sweep"})


def _bound(site: _Site) -> str:
    """Returns the name that other code reaches the pattern by: its constant, attribute or factory."""
    for node in site.parents:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return node.name
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            return target.id if isinstance(target, ast.Name) else ""
    return ""


def _uses(module: _Module, name: str) -> set[str]:
    direct = _mentions(module.name).get(name, set())
    return (direct | _mentions(module.name)["*"] if "" in direct else direct) & METHODS


@cache
def _mentions(module: str) -> dict[str, set[str]]:
    """Returns the attribute that each name of a module is asked for, "" where it is handed on, "*" for all methods."""
    asked: dict[str, set[str]] = {"*": set()}
    tree = next(each.tree for each in _modules() if each.name == module)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node, direct in above.items():
        if not isinstance(node, ast.Name | ast.Attribute) or isinstance(node.ctx, ast.Store):
            continue
        if isinstance(direct, ast.Compare):
            continue
        parent = above[direct] if isinstance(direct, ast.IfExp) else direct
        asked.setdefault(node.id if isinstance(node, ast.Name) else node.attr, set()).add(
            parent.attr if isinstance(parent, ast.Attribute) else ""
        )
        if isinstance(node, ast.Attribute) and node.attr in METHODS - {"split"}:
            asked["*"].add(node.attr)
    return asked


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _mode(method: str) -> str:
    return "sweep" if method in _SWEEPING else method
