"""The extractor: reads files and renders their pages for the worker and the server."""

import asyncio
import itertools
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from intelli.kit.errors import Unavailable
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Box, Extraction, Refusal, Unreadable
from intelli.library.extraction.sandbox import frames, transfer, verdict
from intelli.library.extraction.sandbox.caps import Caps
from intelli.library.extraction.sandbox.child_step import ChildStep
from intelli.library.extraction.sandbox.link import ZygoteLink, ZygoteLost
from intelli.library.extraction.sandbox.orders import ChildEnd, ChildOrder, ChildTask
from intelli.library.extraction.sandbox.result_files import ResultFolder
from intelli.library.extraction.sandbox.slots import Slots

Result = TypeVar("Result")
Collect = Callable[[bytes], Result]
_ATTEMPTS = 2
# A batch of small files that takes longer is given up, and each is read by itself with a limit of its own.
_PLAIN_S, _PLAIN_S_PER_MB = 10, 5
# A file moves ahead in the queue by a second per so many bytes, up to a limit.
_SOONER_BYTES, _SOONER_S = 256 << 10, 10.0
_PNG = b"\x89PNG\r\n\x1a\n"
# Thumbnails are made in the background: files that arrive up to so much later are read first.
_LATER_S = 60.0


class ExtractorDown(Unavailable):
    """The process that reads files does not start."""

    code = "extractor_down"


class Extractor:
    """Reads files in child processes, as many at a time as there are processors.

    The zygote is started by the first call, and started again if it was lost; it serves all files.
    """

    def __init__(self, limits: Limits, caps: Caps) -> None:
        self._limits = limits
        self._caps = caps
        # Pages have slots of their own: a person is waiting for them, and must not wait for the queue of files.
        self._slots = Slots(os.cpu_count() or 1)
        self._picture_slots = asyncio.Semaphore(os.cpu_count() or 1)
        self._starting = asyncio.Lock()
        self._link: ZygoteLink | None = None
        self._numbers = itertools.count(1)
        self._is_closed = False

    async def extract(self, path: Path, *, name: str | None) -> Extraction:
        """Extract the text of a file. Raises Unreadable for every failure, timeouts, memory and crashes included."""
        return await self._extract(path, transfer.load, name=name)

    async def prepare(self, path: Path, *, name: str | None, step: ChildStep[Result]) -> Result:
        """Extract a file; return the result of `step`, which runs in the child that reads it. Raises like `extract`."""
        return await self._extract(path, step.collect, name=name, **_step_fields(step))

    async def extract_plain(
        self, files: Sequence[tuple[Path, str | None]], *, step: ChildStep[Result]
    ) -> list[Result | None]:
        """Extract and convert small files in one process; None for each file that has to be read by itself.

        `files` are paths with names. Only formats read without native parsers share a process. If it fails: all None.
        """
        if not files:
            return []
        named = tuple((str(path.resolve()), name) for path, name in files)
        try:
            return await self._run(
                ChildTask.EXTRACT_PLAIN,
                files[0][0],
                partial(_collect_each, len(files), step.collect),
                files=named,
                **_step_fields(step),
            )
        except Unreadable:
            return [None] * len(files)

    async def page_png(self, path: Path, media_type: str, page: int, *, boxes: Sequence[Box], scale: float) -> bytes:
        """Render a page as PNG, with boxes marked on it."""
        return await self._run(
            ChildTask.PAGE, path, _check_png, media_type=media_type, page=page, boxes=tuple(boxes), scale=scale
        )

    async def thumbnail(self, path: Path, media_type: str, *, title: str, text: str) -> bytes:
        """Render a thumbnail of a file as WebP."""
        return await self._run(ChildTask.THUMBNAIL, path, _check_webp, media_type=media_type, title=title, text=text)

    async def close(self) -> None:
        """Kill the zygote and all its children; later calls raise ExtractorDown."""
        self._is_closed = True
        async with self._starting:
            if self._link is not None:
                await self._link.end()
                self._link = None

    async def _extract(self, path: Path, collect: Collect[Result], **details: Any) -> Result:
        """Extract; after a crash or lack of memory retry with the slower reader. Raises the first refusal."""
        try:
            return await self._run(ChildTask.EXTRACT, path, collect, **details)
        except Unreadable as refused:
            if refused.refusal not in (Refusal.CRASHED, Refusal.MEMORY):
                raise
            try:
                return await self._run(ChildTask.EXTRACT_AGAIN, path, collect, **details)
            except Unreadable:
                raise refused from None

    async def _run(self, task: ChildTask, path: Path, collect: Collect[Result], **details: Any) -> Result:
        async with self._slot(task, path, str(details.get("media_type", ""))):
            for _ in range(_ATTEMPTS):
                try:
                    return await self._run_once(task, path, collect, details)
                except ZygoteLost:
                    continue
        raise verdict.crash_refusal()

    def _slot(self, task: ChildTask, path: Path, media_type: str) -> AbstractAsyncContextManager[None]:
        """Return the slot to wait for. Larger files start earlier: one that starts last would run alone."""
        is_drawn = media_type == "application/pdf" or media_type.startswith("image/")
        if task is ChildTask.PAGE or (task is ChildTask.THUMBNAIL and not is_drawn):
            return self._picture_slots
        if task is ChildTask.THUMBNAIL:
            return self._slots.acquire(time.monotonic() + _LATER_S)
        return self._slots.acquire(time.monotonic() - min(path.stat().st_size / _SOONER_BYTES, _SOONER_S))

    async def _run_once(self, task: ChildTask, path: Path, collect: Collect[Result], details: dict[str, Any]) -> Result:
        link = await self._get_link()
        try:
            results = ResultFolder(link.root)
        except FileNotFoundError as error:
            raise ZygoteLost from error
        try:
            order = self._build_order(task, path, results.folder, details)
            end = await link.run(order)
            if refused := verdict.find_refusal(end, order, results):
                _log_refusal(refused, verdict.read_error_name(results), end)
                raise refused
            return await asyncio.to_thread(_collect, collect, results, order.output_bytes)
        finally:
            await asyncio.shield(asyncio.to_thread(results.remove))

    def _build_order(self, task: ChildTask, path: Path, folder: Path, details: dict[str, Any]) -> ChildOrder:
        size_bytes = path.stat().st_size
        if task is ChildTask.EXTRACT_PLAIN:
            cpu_s = _PLAIN_S + _PLAIN_S_PER_MB * (sum(Path(each).stat().st_size for each, _ in details["files"]) >> 20)
            details = {**details, "cpu_s": cpu_s, "wall_s": 2.0 * cpu_s}
        usual = {
            "cpu_s": self._caps.cpu_for(size_bytes),
            "wall_s": self._caps.wall_for(size_bytes) + self._limits.ocr_s,
        }
        return ChildOrder(
            number=next(self._numbers),
            task=task,
            path=str(path.resolve()),
            folder=str(folder),
            memory_bytes=self._caps.memory_bytes,
            output_bytes=self._caps.output_bytes,
            limits=self._limits,
            **{**usual, **details},
        )

    async def _get_link(self) -> ZygoteLink:
        async with self._starting:
            if self._is_closed:
                raise ExtractorDown("Intelli is shutting down. Try again when it is back.")
            if self._link is not None and not self._link.is_lost:
                return self._link
            if self._link is not None:
                await self._link.end()
                self._link = None
            try:
                self._link = await ZygoteLink.start()
            except (ZygoteLost, TimeoutError, OSError) as error:
                raise ExtractorDown("Files cannot be read at the moment. Try again in a minute.") from error
            return self._link


def _log_refusal(refused: Unreadable, fault: str, end: ChildEnd) -> None:
    # Imported late: the zygote loads this package too, and has no use for a logger.
    """Log a refusal."""
    from intelli.kit.log import get_logger

    get_logger(__name__).info("unreadable", refusal=refused.refusal, fault=fault, signal=end.signal)


def _collect(collect: Collect[Result], results: ResultFolder, most_bytes: int) -> Result:
    """Read and parse a child's result; invalid bytes mean that the child may have been taken over."""
    try:
        return collect(results.read_result(most_bytes=most_bytes))
    except ValueError as error:
        raise verdict.invalid_result_refusal() from error


def _check_png(result: bytes) -> bytes:
    if not result.startswith(_PNG):
        raise ValueError("this is no picture of a page")
    return result


def _check_webp(result: bytes) -> bytes:
    if not (result.startswith(b"RIFF") and result[8:12] == b"WEBP"):
        raise ValueError("this is no thumbnail")
    return result


def _step_fields(step: ChildStep[Any]) -> dict[str, Any]:
    return {"module": step.module, "options": dict(step.options)}


def _collect_each(count: int, collect: Collect[Result], results: bytes) -> list[Result | None]:
    return [collect(result) if result else None for result in frames.unpack(results, count)]
