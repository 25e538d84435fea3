"""Code that runs in the child: confine the process, run one task, write the result into its folder."""

import errno
import gc
import importlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from intelli.kit import confinement
from intelli.library.extraction import scratch, tesseract
from intelli.library.extraction.model import Extraction, Refusal, Unreadable
from intelli.library.extraction.sandbox import frames, jail, transfer
from intelli.library.extraction.sandbox.orders import READING, RESULT, STDERR, ChildExit, ChildOrder, ChildTask

_RECURSION = 3000
_DISK = (errno.EFBIG, errno.ENOSPC)


def run(order: ChildOrder, parent_pid: int, *, helper: Sequence[int]) -> int:
    """Confine this process and run the order; return the exit code. `helper` are the pipes to a helper, or empty."""
    confinement.die_with(parent_pid)
    result = _prepare(order, helper)
    gc.disable()  # the process ends after the task, and its memory with it
    sys.setrecursionlimit(_RECURSION)
    return _execute(order, result)


def run_helper(order: ChildOrder, parent_pid: int, *, requests_in: int, answers_out: int) -> None:
    """Run as the helper of a child that may start no program: run tesseract for it, over two pipes."""
    confinement.die_with(parent_pid)
    os.setsid()
    confinement.close_files([requests_in, answers_out])
    _limit(order)
    tesseract.serve_requests(
        requests_in, answers_out, languages=order.limits.ocr_languages, longest_s=order.limits.ocr_s
    )


def _prepare(order: ChildOrder, helper: Sequence[int]) -> BinaryIO:
    """Set up the process for the task, drop every other right, and return the file for the result."""
    folder = Path(order.folder)
    result = os.open(folder / RESULT, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    _detach(folder)
    confinement.close_files([result, *helper])
    _limit(order)
    if order.task in READING:
        scratch.use_pool(_scratch_files(folder, order.limits.archive_depth))
    if helper:
        tesseract.use_helper(*helper)
    jail.confine(read=[Path(order.path), *(Path(path) for path, _ in order.files)], write=folder)
    return os.fdopen(result, "wb")


def _limit(order: ChildOrder) -> None:
    confinement.limit(
        memory_bytes=order.memory_bytes, cpu_s=order.cpu_s, wall_s=order.wall_s, output_bytes=order.output_bytes
    )


def _detach(folder: Path) -> None:
    """Detach from the zygote: default signals, own session, no terminal or input, stderr into the folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    os.chdir(folder)
    nowhere = os.open(os.devnull, os.O_RDWR)
    errors = os.open(STDERR, os.O_WRONLY | os.O_NOFOLLOW)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.dup2(errors, 2)


def _scratch_files(folder: Path, count: int) -> list[Path]:
    """Create the scratch files before the confinement, which allows no new files.

    As many are created as are open at once, so that the output limit of each bounds what is written.
    """
    paths = [folder / f"unpacked-{number}" for number in range(count)]
    for path in paths:
        path.touch(mode=0o600)
    return paths


def _execute(order: ChildOrder, result: BinaryIO) -> int:
    """Run the task and map what it raises to an exit code."""
    try:
        _run_task(order, result)
        result.flush()
    except Unreadable as refused:
        return _refuse(result, refused)
    except MemoryError:
        return ChildExit.MEMORY
    except RecursionError:
        reason = "The file is nested too deeply to be read. Save it anew in a simpler form and upload it again."
        return _refuse(result, Unreadable(Refusal.HOSTILE, reason))
    except OSError as error:
        return ChildExit.OUTPUT if error.errno in _DISK else _fail(error)
    except BaseException as error:  # noqa: BLE001  # a parser's panic is no Exception, and nothing may leave the child
        return _fail(error)
    return ChildExit.DONE


def _run_task(order: ChildOrder, result: BinaryIO) -> None:
    path = Path(order.path)
    match order.task:
        case ChildTask.EXTRACT:
            from intelli.library.extraction import readers

            result.write(_dump(readers.read(path, name=order.name, limits=order.limits), order))
        case ChildTask.EXTRACT_AGAIN:
            from intelli.library.extraction import readers

            result.write(_dump(readers.read_again(path, name=order.name, limits=order.limits), order))
        case ChildTask.EXTRACT_PLAIN:
            _extract_plain(order, result)
        case ChildTask.PAGE:
            from intelli.library.extraction import render

            result.write(render.page_png(path, order.media_type, order.page, boxes=order.boxes, scale=order.scale))
        case ChildTask.THUMBNAIL:
            from intelli.library.extraction import render

            result.write(render.thumbnail(path, order.media_type, title=order.title, text=order.text))


def _dump(extraction: Extraction, order: ChildOrder) -> bytes:
    """Serialise an extraction: completely, or as the order's module converts it."""
    if order.module:
        converted: bytes = importlib.import_module(order.module).dump(extraction, **order.options)
        return converted
    return transfer.dump(extraction)


def _extract_plain(order: ChildOrder, result: BinaryIO) -> None:
    """Write one frame per file, in order; an empty frame for a file that is not plain text or fails."""
    from intelli.library.extraction import readers

    for path, name in order.files:
        extraction = readers.read_plain(Path(path), name=name, limits=order.limits)
        result.write(frames.pack(b"" if extraction is None else _dump(extraction, order)))


def _refuse(result: BinaryIO, refused: Unreadable) -> int:
    # Buffered bytes are never written: the process ends without closing its files.
    """Replace the result by the refusal as JSON."""
    os.ftruncate(result.fileno(), 0)
    os.pwrite(result.fileno(), json.dumps({"refusal": refused.refusal, "reason": refused.reason}).encode(), 0)
    return ChildExit.REFUSED


def _fail(error: BaseException) -> int:
    """Write the error's type and message to stderr."""
    os.write(2, f"{type(error).__module__}.{type(error).__qualname__}: {str(error)[:2000]}\n".encode(errors="replace"))
    return ChildExit.FAILED
