"""The page that gives each dependency its reason names those that there are, and no other."""

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.contracts.generate import ROOT

_PAGE = ROOT / "docs" / "dependencies.md"


def test_each_package_the_product_needs_has_its_reason():
    assert _named("Python") == _names(_pyproject()["project"]["dependencies"])


def test_each_package_to_develop_and_build_with_has_its_reason():
    assert _named("Python, to develop and build") == _names(*_pyproject()["dependency-groups"].values())


def test_each_package_of_the_ui_has_its_reason():
    package = json.loads((ROOT / "ui" / "package.json").read_text(encoding="utf-8"))
    assert _named("UI") == sorted({**package["dependencies"], **package["devDependencies"]})


def _pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _names(*groups: Iterable[str]) -> list[str]:
    return sorted({canonicalize_name(Requirement(one).name) for group in groups for one in group})


def _named(heading: str) -> list[str]:
    """The packages in the first column of the table below a heading."""
    sections = dict(re.findall(r"^## (.+)\n([^#]+)", _PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE))
    cells = [row.split("|")[1] for row in sections[heading].splitlines() if row.startswith("| ")]
    return sorted(name.strip() for cell in cells[1:] for name in cell.split(","))
