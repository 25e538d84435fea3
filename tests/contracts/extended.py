"""What a changed copy of the source does, in JSON: to be run as a module where `intelli` is the copy."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, make_url
from tests.contracts import generate
from tests.support.server import register, running, settings_for

import intelli
from intelli.app import App
from intelli.engine import Engine
from intelli.kit.context import System
from intelli.migrations import schema
from intelli.runs import tools
from intelli.runs.ledger import ToolOutcome, ToolRequest
from intelli.runs.ports import SearchScope
from intelli.runs.tools.tool import ToolCall, ToolContext
from intelli.settings import load, reference

_NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"


class _Uses:
    """A ledger that keeps nothing but what tools were asked and gave."""

    def __init__(self) -> None:
        self.kept: list[object] = []

    async def begin_use(self, key: str, request: ToolRequest) -> ToolOutcome | None:
        self.kept.append(request.asked)
        return None

    async def end_use(self, key: str, used: ToolOutcome) -> None:
        self.kept.append(used.output)


def settings(name: str, *rooms: str) -> object:
    """The lines of the reference about the settings of this name, and what each room is handed."""
    effective = load(Path("data")).settings
    signing = {"secret_key": settings_for(Path("data")).secret_key}
    parts = App(effective.model_copy(update=signing), Engine(_NOWHERE, _NOWHERE)).parts
    return {
        "reference": [line for line in reference().splitlines() if f"{name}` |" in line],
        "handed": {kind.__name__: getattr(part, name) for kind, part in parts.items() if hasattr(part, name)},
        "groups": {room: getattr(getattr(effective, room), name) for room in rooms},
    }


def tool(name: str, asked: str) -> object:
    """What the tool of a name says of itself, gives for a question, and is called in the UI."""
    found = next(each for each in tools.TOOLS if each.name == name)
    uses = _Uses()
    context = ToolContext(System(uuid4()), library=None, scope=SearchScope())  # type: ignore[arg-type]  # this tool reads no document
    box = tools.Toolbox(context, uses, consent=None, on_used=lambda *_: None, announce=lambda *_: None)  # type: ignore[arg-type]  # no change is made
    given = asyncio.run(box.use(found, ToolCall("key", found.asked.model_validate_json(asked))))
    labels = [line for line in generate.pages()[generate.TOOL_LABELS].splitlines() if name in line]
    return {"schema": found.asked.model_json_schema(), "given": given.model_dump(), "kept": uses.kept, "labels": labels}


def column(app_url: str, admin_url: str, name: str) -> object:
    """What documents answer in a column after they were added alone and together, on a database of this schema."""
    schema.upgrade(admin_url)
    with create_engine(make_url(admin_url).set(drivername="postgresql+psycopg")).connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), schema.metadata())
    ours = [str(each) for each in differences if name in str(each)]
    return {"differences": ours, **asyncio.run(_documents(Engine(app_url, admin_url), name))}


async def _documents(engine: Engine, name: str) -> dict[str, Any]:
    app = App(settings_for(Path("data")), engine)
    async with running(app) as address, httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60) as client:
        await register(client, "owner@example.org", workspace_name="Research")
        alone = await client.post("/documents", files={"file": ("alone.txt", b"one", "text/plain")})
        files = [("file", (f"{number}.txt", b"many", "text/plain")) for number in range(3)]
        together = await client.post("/documents/batch", files=files)
        listed = await client.get("/documents")
    await app.close()
    return {
        "alone": alone.json()[name],
        "together": [item["document"][name] for item in together.json()["items"]],
        "listed": {item["name"]: item[name] for item in listed.json()["items"]},
    }


if __name__ == "__main__":
    assert Path(intelli.__file__).is_relative_to(Path.cwd()), "this is not the copy"
    asked = {"settings": settings, "tool": tool, "column": column}[sys.argv[1]](*sys.argv[2:])
    sys.stdout.write(f"\n{json.dumps(asked, default=str)}\n")
