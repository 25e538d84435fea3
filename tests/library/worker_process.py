"""A worker for a process of its own, which tests kill.

It stops for ever at a stage of reading: `parse`, while the file is read, or `write`, with the transaction still open.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from tests.library.makers import Reader, index_at_once
from tests.support.server import settings_for

from intelli.app import JOBS, App, Engine
from intelli.kit.db import Tx
from intelli.library.extraction.model import Extraction
from intelli.library.ports import ExtractorPort, TextReady
from intelli.worker import Worker


class Stuck(Reader):
    """Says that it has begun, and never ends."""

    def __init__(self, data: Path) -> None:
        super().__init__()
        self._data = data

    async def extract(self, path: Path, *, name: str | None) -> Extraction:
        return await _wait(self._data)


async def _wait(data: Path) -> Extraction:
    data.joinpath("reached").touch()
    await asyncio.Event().wait()
    raise AssertionError("it is killed before")


def work(url: str, data: Path, stage: str) -> None:
    """Work until killed."""
    asyncio.run(_work(url, data, stage))


async def _work(url: str, data: Path, stage: str) -> None:
    app = App(settings_for(data), Engine(url, url))

    async def stuck(tx: Tx, hashes: Sequence[str]) -> None:
        await index_at_once(tx, hashes)
        await _wait(data)

    parts = {
        **app.parts,
        ExtractorPort: Stuck(data) if stage == "parse" else Reader(),
        TextReady: TextReady(stuck),
    }
    await Worker(app.db, JOBS, heartbeat_s=0.3, stall_s=1.5, parts=parts).run(asyncio.Event())
