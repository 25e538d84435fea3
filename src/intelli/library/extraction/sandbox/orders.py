"""Protocol between extractor, zygote and child: messages are JSON lines, results are files in a folder.

The child is not trusted: its output is parsed as data, never executed.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import IntEnum, StrEnum

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Box

RESULT = "result"
STDERR = "stderr"


class ChildTask(StrEnum):
    """The tasks of a child."""

    EXTRACT = "extract"
    EXTRACT_AGAIN = "extract_again"
    EXTRACT_PLAIN = "extract_plain"
    PAGE = "page"
    THUMBNAIL = "thumbnail"


# Tasks that may unpack files and recognise text in pictures.
READING = (ChildTask.EXTRACT, ChildTask.EXTRACT_AGAIN)


class ChildExit(IntEnum):
    """Exit codes of a child; any other code is a crash."""

    DONE = 0
    REFUSED = 3
    MEMORY = 4
    FAILED = 5
    OUTPUT = 6


@dataclass(frozen=True, slots=True)
class ChildOrder:
    """One task for one child. The files in `folder`, which is the child's own, are the only ones it may write to.

    `files` are (path, name) pairs of a task that reads several; `module` is a `ChildStep` module that converts each.
    """

    number: int
    task: ChildTask
    path: str
    folder: str
    memory_bytes: int
    cpu_s: int
    wall_s: float
    output_bytes: int
    limits: Limits
    name: str | None = None
    media_type: str = ""
    page: int = 1
    boxes: tuple[Box, ...] = ()
    scale: float = 1.0
    title: str = ""
    text: str = ""
    files: tuple[tuple[str, str | None], ...] = ()
    module: str = ""
    options: dict[str, object] = field(default_factory=dict)

    def dump(self) -> bytes:
        """Serialise the order as a JSON line."""
        return encode_line({"order": asdict(self)})

    @classmethod
    def load(cls, fields: dict[str, object]) -> "ChildOrder":
        """Build an order from the fields of a message that the extractor wrote."""
        values = dict(fields)
        values["task"] = ChildTask(str(values["task"]))
        values["limits"] = Limits(**values["limits"])  # type: ignore[arg-type]  # written by dump()
        values["boxes"] = tuple(tuple(box) for box in values["boxes"])  # type: ignore[attr-defined]
        values["files"] = tuple((path, name) for path, name in values["files"])  # type: ignore[attr-defined]
        return cls(**values)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class ChildEnd:
    """How a child ended: its exit code or the signal that killed it; `is_late` if it was killed for its time limit."""

    number: int
    code: int = 0
    signal: int = 0
    is_late: bool = False
    peak_bytes: int = 0


def encode_line(message: dict[str, object]) -> bytes:
    """Serialise a message as one JSON line."""
    return json.dumps(message).encode() + b"\n"


@dataclass(slots=True)
class MessageLines:
    """Incremental parser of JSON lines."""

    _rest: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> Iterator[dict[str, object]]:
        """Append received bytes and yield the messages that are complete."""
        self._rest += data
        *whole, rest = self._rest.split(b"\n") if b"\n" in data else [self._rest]
        self._rest = bytearray(rest)
        for each in whole:
            yield json.loads(each)
