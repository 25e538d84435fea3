"""The database dies under a run: the run comes to its end by itself, and its readers miss nothing.

It also dies while the run waits for an approval: what waits is there afterwards, and is done once it is agreed to.
"""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.support.approvals import SAVE, decide, find, pending
from tests.support.database import postgres_version
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, frames, log_of, researching, text_of
from tests.support.server import Person, register, running, settings_for

from intelli.app import App, Engine
from intelli.kit.postgres import EmbeddedPostgres
from intelli.migrations import schema
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.note import NoteInput, Notes


class Killing(PlainReasoner):
    """Kills the database in the middle of its thoughts, at two places of the run."""

    def __init__(self, postmaster: Path) -> None:
        super().__init__()
        self._postmaster = postmaster
        self.deaths = 0

    async def note(self, asked: NoteInput) -> tuple[Notes, Usage]:
        self.kill(most=1)
        return await super().note(asked)

    async def brief(self, asked: BriefInput) -> tuple[Brief, Usage]:
        self.kill(most=2)
        return await super().brief(asked)

    def kill(self, *, most: int) -> None:
        if self.deaths < most:
            self.deaths += 1
            os.kill(int(self._postmaster.read_text().split()[0]), signal.SIGKILL)


@pytest.mark.slow
async def test_a_run_and_its_readers_outlive_the_database(tmp_path: Path):
    root = tmp_path / "postgres"
    with EmbeddedPostgres(root, version=postgres_version()) as postgres:
        schema.upgrade(postgres.admin_url)
        app = App(settings_for(tmp_path), Engine(postgres.app_url, postgres.admin_url, postgres))
        reasoner = Killing(root / "pgdata" / "postmaster.pid")
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            watch = group.create_task(postgres.watch())
            async with running(app) as address, researching(app, reasoner=reasoner, heartbeat_s=1, stall_s=5):
                client = httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60)
                owner = await register(client, "owner@example.org", workspace_name="Research")
                run = await ask(owner, SAVE)
                reading = group.create_task(_read_to_the_end(owner, run))
                await _waits(owner)
                reasoner.kill(most=3)
                (waiting,) = await _waits(owner)
                (await decide(owner, waiting, "approve")).raise_for_status()
                seen = await reading
                log = await log_of(owner, run)
                saved = await find(owner, "revenue.md")
                await client.aclose()
            watch.cancel()
        await app.close()
    assert reasoner.deaths == 3
    assert saved is not None
    assert saved["version"] == 1
    assert seen == [(line["seq"], line["event"]) for line in log]
    assert [seq for seq, _ in seen] == list(range(1, len(seen) + 1))
    assert seen[-1][1]["type"] == "done"
    assert "412.7 million euros" in text_of(log)


async def _waits(person: Person) -> list[dict[str, Any]]:
    """What waits for a decision, as soon as something does and the database is there to tell."""
    while True:
        try:
            if waiting := await pending(person):
                return waiting
        except httpx.HTTPError:
            pass
        await asyncio.sleep(0.1)


async def _read_to_the_end(person: Person, run: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """Read like a browser: come back with the last id until the run is done."""
    seen: list[tuple[int, dict[str, Any]]] = []
    while not seen or seen[-1][1]["type"] != "done":
        headers = {"Last-Event-ID": str(seen[-1][0])} if seen else {}
        try:
            async with person.client.stream("GET", f"/runs/{run['id']}/stream", headers=headers) as answer:
                if answer.status_code != 200:
                    await asyncio.sleep(0.1)
                    continue
                async for event in frames(answer.aiter_lines()):
                    if event["seq"] is not None:
                        seen.append((event["seq"], event["event"]))  # noqa: PERF401  # kept when the line breaks
        except httpx.TransportError:
            await asyncio.sleep(0.1)
    return seen
