"""The extractor: what the worker and the server ask to read a file or to draw its pages."""

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
# Small files take no longer, or each is to have its own time.
_PLAIN_S, _PLAIN_S_PER_MB = 10, 5
# How much sooner a file has its turn than one without bytes: a second for so many of them, up to a limit.
_SOONER_BYTES, _SOONER_S = 256 << 10, 10.0
_PNG = b"\x89PNG\r\n\x1a\n"
# Pictures that nobody asked for let so long go before what there is to read.
_LATER_S = 60.0


class ExtractorDown(Unavailable):
    """The process that reads files does not start."""

    code = "extractor_down"


class Extractor:
    """Reads files in processes of their own, a few at a time. It starts when first asked and outlives any file."""

    def __init__(self, limits: Limits, caps: Caps) -> None:
        self._limits = limits
        self._caps = caps
        # Someone looks at a page now; they do not wait until the books in the queue are read.
        self._slots = Slots(os.cpu_count() or 1)
        self._picture_slots = asyncio.Semaphore(os.cpu_count() or 1)
        self._starting = asyncio.Lock()
        self._link: ZygoteLink | None = None
        self._numbers = itertools.count(1)
        self._is_closed = False

    async def extract(self, path: Path, *, name: str | None) -> Extraction:
        """The file as text. Raises Unreadable for every reason there is, time, memory and crashes included."""
        return await self._extract(path, transfer.load, name=name)

    async def prepare(self, path: Path, *, name: str | None, step: ChildStep[Result]) -> Result:
        """Read a file and return the result of `step`, which runs in the child that reads it. Raises like `extract`."""
        return await self._extract(path, step.collect, name=name, **_details(step))

    async def extract_plain(
        self, files: Sequence[tuple[Path, str | None]], *, step: ChildStep[Result]
    ) -> list[Result | None]:
        """What is made of small files with their names, in one process: None for each that has to be read by itself.

        Only what is read without native parsers shares a process. When that comes to harm, all are read by themselves.
        """
        if not files:
            return []
        named = tuple((str(path.resolve()), name) for path, name in files)
        try:
            return await self._run(
                ChildTask.EXTRACT_PLAIN,
                files[0][0],
                partial(_each, len(files), step.collect),
                files=named,
                **_details(step),
            )
        except Unreadable:
            return [None] * len(files)

    async def page_png(self, path: Path, media_type: str, page: int, *, boxes: Sequence[Box], scale: float) -> bytes:
        """A page as a picture, with boxes marked on it."""
        return await self._run(
            ChildTask.PAGE, path, _png, media_type=media_type, page=page, boxes=tuple(boxes), scale=scale
        )

    async def thumbnail(self, path: Path, media_type: str, *, title: str, text: str) -> bytes:
        """A small picture of a file."""
        return await self._run(ChildTask.THUMBNAIL, path, _webp, media_type=media_type, title=title, text=text)

    async def close(self) -> None:
        """End the zygote and all it started, for good."""
        self._is_closed = True
        async with self._starting:
            if self._link is not None:
                await self._link.end()
                self._link = None

    async def _extract(self, path: Path, collect: Collect[Result], **details: Any) -> Result:
        """By the slower reader when the first one died; without one, the first refusal stands."""
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
                    return await self._once(task, path, collect, details)
                except ZygoteLost:
                    continue
        raise verdict.crashed()

    def _slot(self, task: ChildTask, path: Path, media_type: str) -> AbstractAsyncContextManager[None]:
        """When a child may begin. The larger a file, the sooner: begun last, it would be waited for alone."""
        is_drawn = media_type == "application/pdf" or media_type.startswith("image/")
        if task is ChildTask.PAGE or (task is ChildTask.THUMBNAIL and not is_drawn):
            return self._picture_slots
        if task is ChildTask.THUMBNAIL:
            return self._slots.turn(time.monotonic() + _LATER_S)
        return self._slots.turn(time.monotonic() - min(path.stat().st_size / _SOONER_BYTES, _SOONER_S))

    async def _once(self, task: ChildTask, path: Path, collect: Collect[Result], details: dict[str, Any]) -> Result:
        link = await self._get_link()
        try:
            place = ResultFolder(link.root)
        except FileNotFoundError as error:
            raise ZygoteLost from error
        try:
            order = self._order(task, path, place.folder, details)
            end = await link.run(order)
            if refused := verdict.refusal_of(end, order, place):
                _note(refused, verdict.fault_of(place), end)
                raise refused
            return await asyncio.to_thread(_collect, collect, place, order.output_bytes)
        finally:
            await asyncio.shield(asyncio.to_thread(place.remove))

    def _order(self, task: ChildTask, path: Path, folder: Path, details: dict[str, Any]) -> ChildOrder:
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


def _note(refused: Unreadable, fault: str, end: ChildEnd) -> None:
    # Imported late: the zygote loads this package too, and has no use for a logger.
    from intelli.kit.log import get_logger

    get_logger(__name__).info("unreadable", refusal=refused.refusal, fault=fault, signal=end.signal)


def _collect(collect: Collect[Result], place: ResultFolder, most_bytes: int) -> Result:
    """What a child left. One that left nonsense was taken over, as far as anybody can tell."""
    try:
        return collect(place.result(most_bytes=most_bytes))
    except ValueError as error:
        raise verdict.nonsense() from error


def _png(result: bytes) -> bytes:
    if not result.startswith(_PNG):
        raise ValueError("this is no picture of a page")
    return result


def _webp(result: bytes) -> bytes:
    if not (result.startswith(b"RIFF") and result[8:12] == b"WEBP"):
        raise ValueError("this is no thumbnail")
    return result


def _details(step: ChildStep[Any]) -> dict[str, Any]:
    return {"module": step.module, "options": dict(step.options)}


def _each(count: int, collect: Collect[Result], results: bytes) -> list[Result | None]:
    return [collect(result) if result else None for result in frames.unpack(results, count)]
