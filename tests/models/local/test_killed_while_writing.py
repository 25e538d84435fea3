"""A model server that is killed while it writes an answer: the run ends with an answer, and says who wrote it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.models.local.conftest import furnish
from tests.models.local.servers import PATIENCE_S, find_children, kill
from tests.support.jobs import until, working
from tests.support.runs import CORPUS, FakeLibrary, ask, log_of, show, until_rests
from tests.support.server import Person, settings_for

from intelli.app import JOBS, App
from intelli.models import start_test
from intelli.runs.ports import LibraryAccess
from intelli.settings import Settings


@pytest.fixture
def settings(tmp_path: Path, weights: Path) -> Settings:
    """An installation that serves a model itself."""
    return settings_for(furnish(tmp_path, weights))


@pytest.fixture
async def served(app: App) -> AsyncIterator[None]:
    """The model server of the installation, run by this process as `intelli serve` does."""
    task = asyncio.create_task(app.local_model.run())
    assert await app.local_model.wait_ready(PATIENCE_S), app.local_model.describe()
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.mark.usefixtures("served")
async def test_a_run_whose_model_is_killed_while_it_writes_ends_with_an_answer_and_says_so(app: App, owner: Person):
    parts = {**app.parts, LibraryAccess: FakeLibrary(CORPUS).library()}
    # Without the test of the model, which would wait for the same server.
    jobs = [job for job in JOBS if job.name != start_test.TEST.name]
    async with working(app.db, *jobs, parts=parts):
        run = await ask(owner)
        await until(lambda: _is_writing(owner, run))
        (before,) = find_children()
        kill(before)
        ended = await until_rests(owner, run)
        assert await app.local_model.wait_ready(PATIENCE_S), "it is started again"
        (after,) = find_children()
    assert after.pid != before.pid
    assert ended["status"] == "completed"
    assert "412.7 million euros" in ended["agent_response"]
    is_without = ended["reasoner"] == "extractive"
    assert ended["problems"] or not is_without, "what was done without the model is said"
    assert (await show(owner, run))["last_seq"] == (await log_of(owner, run))[-1]["seq"], "the log is whole"


async def _is_writing(owner: Person, run: dict[str, object]) -> bool:
    """Whether a call of the model was announced, which it has not replied to: it is at work."""
    kinds = [line["event"]["type"] for line in await log_of(owner, run)]
    return "progress_update" in kinds and "usage_update" not in kinds
