"""What happens in the child: it is confined, does its one task, and leaves the result in its folder."""

import errno
import gc
import importlib
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from intelli.library.extraction.model import Extraction, Refusal, Unreadable
from intelli.library.extraction.sandbox import jail, transfer
from intelli.library.extraction.sandbox.orders import REFUSAL, RESULT, STDERR, Exit, Order, Task

_RECURSION = 3000
_DISK = (errno.EFBIG, errno.ENOSPC)


def live(order: Order, parent_pid: int) -> int:
    """Confine this process and do what is ordered; returns the exit code."""
    jail.die_with(parent_pid)
    folder = Path(order.folder)
    _take_leave(folder)
    jail.limit(memory_bytes=order.memory_bytes, cpu_s=order.cpu_s, wall_s=order.wall_s, output_bytes=order.output_bytes)
    jail.confine(read=[Path(order.path), *(Path(path) for path, _ in order.files)], write=folder)
    gc.disable()  # the memory is given back as a whole
    sys.setrecursionlimit(_RECURSION)
    try:
        _work(order, folder)
    except Unreadable as refused:
        return _refuse(folder, refused)
    except MemoryError:
        return Exit.MEMORY
    except RecursionError:
        reason = "The file is nested too deeply to be read. Save it anew in a simpler form and upload it again."
        return _refuse(folder, Unreadable(Refusal.HOSTILE, reason))
    except OSError as error:
        return Exit.OUTPUT if error.errno in _DISK else _fail(error)
    except BaseException as error:  # noqa: BLE001  # a parser's panic is no Exception, and nothing may leave the child
        return _fail(error)
    return Exit.DONE


def _take_leave(folder: Path) -> None:
    """No terminal, no input, errors into the folder, temporary files there too."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    os.chdir(folder)
    nowhere = os.open(os.devnull, os.O_RDWR)
    errors = os.open(STDERR, os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.dup2(errors, 2)
    os.close(nowhere)
    os.close(errors)
    tempfile.tempdir = str(folder)


def _work(order: Order, folder: Path) -> None:
    path = Path(order.path)
    match order.task:
        case Task.EXTRACT:
            from intelli.library.extraction import readers

            _leave(readers.read(path, name=order.name, limits=order.limits), order, folder)
        case Task.EXTRACT_AGAIN:
            from intelli.library.extraction import readers

            _leave(readers.read_again(path, name=order.name, limits=order.limits), order, folder)
        case Task.EXTRACT_PLAIN:
            _extract_plain(order, folder)
        case Task.PAGE:
            from intelli.library.extraction import render

            image = render.page_png(path, order.media_type, order.page, boxes=order.boxes, scale=order.scale)
            folder.joinpath(RESULT).write_bytes(image)
        case Task.THUMBNAIL:
            from intelli.library.extraction import render

            image = render.thumbnail(path, order.media_type, title=order.title, text=order.text)
            folder.joinpath(RESULT).write_bytes(image)


def _leave(extraction: Extraction, order: Order, folder: Path) -> None:
    """All of it, or what a module makes of it."""
    if order.module:
        importlib.import_module(order.module).leave(extraction, folder / RESULT, **order.options)
    else:
        transfer.write(extraction, folder)


def _extract_plain(order: Order, folder: Path) -> None:
    """Each into a file of its own; none for a file that is not plain text or gives any trouble."""
    from intelli.library.extraction import readers

    harvest = importlib.import_module(order.module)
    for number, (path, name) in enumerate(order.files):
        extraction = readers.read_plain(Path(path), name=name, limits=order.limits)
        if extraction is not None:
            harvest.leave(extraction, folder / str(number), **order.options)


def _refuse(folder: Path, refused: Unreadable) -> int:
    folder.joinpath(REFUSAL).write_text(json.dumps({"refusal": refused.refusal, "reason": refused.reason}))
    return Exit.REFUSED


def _fail(error: BaseException) -> int:
    os.write(2, f"{type(error).__module__}.{type(error).__qualname__}: {str(error)[:2000]}\n".encode(errors="replace"))
    return Exit.FAILED
