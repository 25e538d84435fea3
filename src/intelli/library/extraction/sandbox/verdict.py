"""Translates how a child ended into a refusal for the person who uploaded the file."""

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


def find_refusal(end: ChildEnd, order: ChildOrder, results: ResultFolder) -> Unreadable | None:
    """Return why there is no result; None when there is one."""
    if end.is_late or end.signal in (signal.SIGXCPU, signal.SIGALRM):
        limit_s = order.cpu_s if end.signal == signal.SIGXCPU else order.wall_s
        reason = f"Reading the file took longer than the {limit_s:.0f} s it may take, and was stopped. {_SPLIT}"
        return Unreadable(Refusal.TIMEOUT, reason)
    if end.signal:
        return _refusal_of_signal(end, order, results)
    return None if end.code == ChildExit.DONE else _refusal_of_exit(end.code, order, results)


def _refusal_of_exit(code: int, order: ChildOrder, results: ResultFolder) -> Unreadable:
    if code == ChildExit.REFUSED:
        return _read_refusal(results)
    if code == ChildExit.OUTPUT:
        return Unreadable(Refusal.TOO_LARGE, _TOO_MUCH_TEXT)
    if code == ChildExit.MEMORY or (code == ChildExit.FAILED and _is_out_of_memory(results)):
        return _memory_refusal(order)
    return Unreadable(Refusal.DAMAGED, _DAMAGED) if code == ChildExit.FAILED else crash_refusal()


def crash_refusal() -> Unreadable:
    """Return the refusal of a file whose reader crashed."""
    return Unreadable(Refusal.CRASHED, _CRASHED)


def invalid_result_refusal() -> Unreadable:
    """Return the refusal of a file whose reader wrote an invalid result: the reader may have been taken over."""
    return Unreadable(Refusal.HOSTILE, _NONSENSE)


def _refusal_of_signal(end: ChildEnd, order: ChildOrder, results: ResultFolder) -> Unreadable:
    """Return the refusal for a child that a signal killed: out of memory, or a crash.

    The kernel kills for want of memory, and parsers abort when an allocation fails.
    """
    is_out_of_memory = end.peak_bytes > order.memory_bytes // 2 or _is_out_of_memory(results)
    return _memory_refusal(order) if end.signal == signal.SIGKILL or is_out_of_memory else crash_refusal()


def _memory_refusal(order: ChildOrder) -> Unreadable:
    reason = f"Reading the file needs more than the {order.memory_bytes >> 20} MB of memory it may use. {_SPLIT}"
    return Unreadable(Refusal.MEMORY, reason)


def _read_refusal(results: ResultFolder) -> Unreadable:
    try:
        refusal = json.loads(results.read_result(most_bytes=_REFUSAL_BYTES))
        return Unreadable(Refusal(refusal["refusal"]), _clean_reason(str(refusal["reason"])))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return crash_refusal()


def _clean_reason(reason: str) -> str:
    """Cut a reason to a length that can be stored and drop what is not printable: the child is not trusted."""
    return "".join(each for each in reason[:_REASON_CHARS] if each.isprintable())


def _is_out_of_memory(results: ResultFolder) -> bool:
    """Return whether the child's last error output was about memory."""
    output = results.read_error_tail()
    return any(sign in output for sign in _OUT_OF_MEMORY)


def read_error_name(results: ResultFolder) -> str:
    """Return the type name of the error that ended a child; its message may quote the file and must not be logged."""
    name = results.read_error_tail().partition(b":")[0]
    return name.decode("ascii") if _ERROR_NAME.fullmatch(name) else ""
