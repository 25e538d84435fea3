"""Everything that is generated from the code: run this module to write it, or with `--check` to hear what is stale."""

import argparse
import asyncio
import difflib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from scripts import architecture_picture
from tests.contracts import checks, event_reference, reference, typescript, variants

from intelli import settings
from intelli.app import App, Engine
from intelli.runs import tools
from intelli.runs.events import RunEvent
from intelli.web.factory import create_web

ROOT = Path(__file__).parent.parent.parent
OPENAPI = ROOT / "contracts" / "openapi.json"
EVENTS = ROOT / "contracts" / "events.json"
EVENT_TYPES = ROOT / "ui" / "src" / "generated" / "events.ts"
TOOL_LABELS = ROOT / "ui" / "src" / "generated" / "tools.ts"
VARIANTS = ROOT / "ui" / "src" / "generated" / "variants.ts"
CHECKS = ROOT / "ui" / "src" / "generated" / "checks.ts"
API_TYPES = ROOT / "ui" / "src" / "generated" / "api.ts"
_REFERENCE = ROOT / "docs" / "reference"
_IMAGES = ROOT / "docs" / "images"
# Nothing is ever asked of this database: a description needs the routes alone.
_NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"
_TYPES_TIMEOUT_S = 120


def describe() -> dict[str, Any]:
    """The OpenAPI description of the product."""
    return asyncio.run(_describe())


def pages() -> dict[Path, str]:
    """The text that each generated file should have."""
    description = describe()
    events = RunEvent.model_json_schema(mode="serialization")
    return {
        OPENAPI: json.dumps(description, indent=2, sort_keys=True, ensure_ascii=False) + "\n",
        EVENTS: json.dumps(events, indent=2, sort_keys=True, ensure_ascii=False) + "\n",
        EVENT_TYPES: typescript.module(events),
        TOOL_LABELS: typescript.constant("TOOL_LABELS", "the tools' own declarations in runs/tools", tools.labels()),
        VARIANTS: variants.module(),
        CHECKS: checks.module(),
        _REFERENCE / "settings.md": reference.settings_page(settings.reference()),
        _REFERENCE / "errors.md": reference.errors_page(),
        _REFERENCE / "http.md": reference.http_page(description),
        _REFERENCE / "cli.md": reference.cli_page(),
        _REFERENCE / "events.md": event_reference.events_page(events),
        **{_IMAGES / name: text for name, text in architecture_picture.pictures().items()},
    }


def stale() -> str:
    """A diff from what the files hold to what they should hold; empty when they are fresh."""
    wanted = pages()
    if (ROOT / "ui" / "node_modules").exists():
        wanted[API_TYPES] = _api_types(wanted[OPENAPI])
    return "".join(_difference(path, text) for path, text in wanted.items())


def write() -> None:
    """Write every generated file except the UI's API types, which `make contracts` makes with Node."""
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


async def _describe() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as data:
        app = App(settings.Settings(data=Path(data), secret_key=SecretStr("k" * 48)), Engine(_NOWHERE, _NOWHERE))
        try:
            return create_web(app).openapi()
        finally:
            await app.close()


def _api_types(description: str) -> str:
    """The types that the UI should have for a description."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "openapi.json"), Path(folder, "api.ts")
        source.write_text(description, encoding="utf-8")
        subprocess.run(
            [
                *(sys.executable, str(ROOT / "hatch_build.py"), "node_modules/openapi-typescript/bin/cli.js"),
                *(str(source), "-o", str(target), "--immutable"),
            ],
            check=True,
            capture_output=True,
            timeout=_TYPES_TIMEOUT_S,
        )
        return target.read_text(encoding="utf-8")


def _difference(path: Path, wanted: str) -> str:
    found = path.read_text(encoding="utf-8") if path.exists() else ""
    name = str(path.relative_to(ROOT))
    lines = difflib.unified_diff(found.splitlines(True), wanted.splitlines(True), name, f"{name} (generated)", n=1)
    return "".join(lines)


def main() -> int:
    """Write the files, or with `--check` say whether they are fresh."""
    parser = argparse.ArgumentParser(prog="python -m tests.contracts.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is stale")
    if not parser.parse_args().check:
        write()
        return 0
    difference = stale()
    if difference:
        sys.stderr.write(f"{difference}\nGenerated files are stale. Run `make contracts` and commit what changed.\n")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
