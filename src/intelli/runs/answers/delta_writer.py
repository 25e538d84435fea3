"""Emit a message as deltas; emitting it again after a crash repeats nothing."""

from uuid import UUID

from intelli.runs.events import MessageDelta
from intelli.runs.recorder import RunRecorder


class DeltaWriter:
    """Emits a text as deltas and skips what was emitted before; a delta at a lower offset replaces what differs.

    A step that writes a text anew has a `step` of its own: its deltas may begin where one of the first text began.
    """

    def __init__(self, recorder: RunRecorder, message_id: UUID, emitted: str, *, step: str = "delta") -> None:
        self._step = step
        self._recorder = recorder
        self._message_id = message_id
        self._emitted = emitted
        self._length = 0

    def feed(self, text: str) -> None:
        """Emit the next piece of the text."""
        before = self._emitted[self._length : self._length + len(text)]
        common = _common_prefix(before, text)
        start, self._length = self._length, self._length + len(text)
        if common == len(text):
            return
        self._emit(text[common:], offset=start + common)
        self._emitted = self._emitted[: start + common]

    def end(self, text: str) -> None:
        """Truncate what an earlier attempt emitted beyond the complete text."""
        if len(self._emitted) > len(text):
            self._emit("", offset=len(text))

    def _emit(self, delta: str, *, offset: int) -> None:
        event = MessageDelta(delta=delta, message_id=self._message_id, offset=offset)
        self._recorder.emit(event, f"{self._step}:{self._message_id}:{offset}")


def _common_prefix(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def with_closing(said: str, closing: str) -> str:
    """Return an answer followed by the report on its changes; either may be empty."""
    return "\n\n".join(filter(None, (said, closing)))
