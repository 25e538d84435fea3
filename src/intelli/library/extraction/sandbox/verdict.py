"""What a child's end means for the person who uploaded the file."""

import json
import re
import signal

from intelli.library.extraction.model import Refusal, Unreadable
from intelli.library.extraction.sandbox.orders import ChildEnd, ChildExit, ChildOrder
from intelli.library.extraction.sandbox.result_files import ResultFolder

_SPLIT = "Split it into smaller files and upload those."
_SAVE = "Open it in the program that made it, save it again, and upload that."
_CRASHED = f"The file made its reader fail, so it is probably damaged. {_SAVE}"
_DAMAGED = f"The file is damaged, or not quite what it seems, and cannot be read. {_SAVE}"
_TOO_MUCH_TEXT = f"The file holds more text than one document may have. {_SPLIT}"
_NONSENSE = f"The file made its reader give a result that cannot be, as an attack on it would. It was not read. {_SAVE}"
_OUT_OF_MEMORY = (b"memory allocation", b"out of memory", b"bad_alloc", b"cannot allocate", b"MemoryError")
_REFUSAL_BYTES, _REASON_CHARS = 16 << 10, 1000
_ERROR_NAME = re.compile(rb"[\w.]{1,200}")


def refusal_of(end: ChildEnd, order: ChildOrder, place: ResultFolder) -> Unreadable | None:
    """Why there is no result; None when there is one."""
    if end.is_late or end.signal in (signal.SIGXCPU, signal.SIGALRM):
        limit_s = order.cpu_s if end.signal == signal.SIGXCPU else order.wall_s
        reason = f"Reading the file took longer than the {limit_s:.0f} s it may take, and was stopped. {_SPLIT}"
        return Unreadable(Refusal.TIMEOUT, reason)
    if end.signal:
        return _killed(end, order, place)
    return None if end.code == ChildExit.DONE else _given_up(end.code, order, place)


def _given_up(code: int, order: ChildOrder, place: ResultFolder) -> Unreadable:
    if code == ChildExit.REFUSED:
        return _refused(place)
    if code == ChildExit.OUTPUT:
        return Unreadable(Refusal.TOO_LARGE, _TOO_MUCH_TEXT)
    if code == ChildExit.MEMORY or (code == ChildExit.FAILED and _is_starved(place)):
        return _memory(order)
    return Unreadable(Refusal.DAMAGED, _DAMAGED) if code == ChildExit.FAILED else crashed()


def crashed() -> Unreadable:
    """The refusal of a file whose reader did not survive."""
    return Unreadable(Refusal.CRASHED, _CRASHED)


def nonsense() -> Unreadable:
    """The refusal of a file whose reader left what no reader of ours makes: it may have been taken over."""
    return Unreadable(Refusal.HOSTILE, _NONSENSE)


def _killed(end: ChildEnd, order: ChildOrder, place: ResultFolder) -> Unreadable:
    """By the kernel for want of memory, or by a fault of the parser; parsers abort when memory is refused."""
    is_starved = end.peak_bytes > order.memory_bytes // 2 or _is_starved(place)
    return _memory(order) if end.signal == signal.SIGKILL or is_starved else crashed()


def _memory(order: ChildOrder) -> Unreadable:
    reason = f"Reading the file needs more than the {order.memory_bytes >> 20} MB of memory it may use. {_SPLIT}"
    return Unreadable(Refusal.MEMORY, reason)


def _refused(place: ResultFolder) -> Unreadable:
    try:
        said = json.loads(place.result(most_bytes=_REFUSAL_BYTES))
        return Unreadable(Refusal(said["refusal"]), _plain(str(said["reason"])))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return crashed()


def _plain(reason: str) -> str:
    """A sentence that can be stored and shown."""
    return "".join(each for each in reason[:_REASON_CHARS] if each.isprintable())


def _is_starved(place: ResultFolder) -> bool:
    """Whether the last words of a child were about memory."""
    words = place.last_words()
    return any(sign in words for sign in _OUT_OF_MEMORY)


def fault_of(place: ResultFolder) -> str:
    """The name of the error that a child ended with; its text may hold words of the file, and is not for logs."""
    name = place.last_words().partition(b":")[0]
    return name.decode("ascii") if _ERROR_NAME.fullmatch(name) else ""
