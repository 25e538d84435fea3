"""What is said between extractor, zygote and child: JSON lines, and results as files in a folder.

The child is not trusted: what it leaves behind is parsed as data, never executed.
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
    """What a child can be asked for."""

    EXTRACT = "extract"
    EXTRACT_AGAIN = "extract_again"
    EXTRACT_PLAIN = "extract_plain"
    PAGE = "page"
    THUMBNAIL = "thumbnail"


# Tasks that may come to unpack files and to recognise text in pictures.
READING = (ChildTask.EXTRACT, ChildTask.EXTRACT_AGAIN)


class ChildExit(IntEnum):
    """How a child says that it ended; anything else is a crash."""

    DONE = 0
    REFUSED = 3
    MEMORY = 4
    FAILED = 5
    OUTPUT = 6


@dataclass(frozen=True, slots=True)
class ChildOrder:
    """One child's work. `folder` is its own, and its files are the only ones it may write to.

    `files` are paths with names, where several are read at once; `module` makes of each what is wanted.
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
        """The order as a line."""
        return line({"order": asdict(self)})

    @classmethod
    def load(cls, fields: dict[str, object]) -> "ChildOrder":
        """The order of a line that the extractor wrote."""
        values = dict(fields)
        values["task"] = ChildTask(str(values["task"]))
        values["limits"] = Limits(**values["limits"])  # type: ignore[arg-type]  # written by dump()
        values["boxes"] = tuple(tuple(box) for box in values["boxes"])  # type: ignore[attr-defined]
        values["files"] = tuple((path, name) for path, name in values["files"])  # type: ignore[attr-defined]
        return cls(**values)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class ChildEnd:
    """How a child ended: its exit code, or the signal that killed it, and whether that was for its time."""

    number: int
    code: int = 0
    signal: int = 0
    is_late: bool = False
    peak_bytes: int = 0


def line(message: dict[str, object]) -> bytes:
    """A message as one line."""
    return json.dumps(message).encode() + b"\n"


@dataclass(slots=True)
class MessageLines:
    """Bytes as they arrive, cut into messages."""

    _rest: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> Iterator[dict[str, object]]:
        """The messages that are complete now."""
        self._rest += data
        *whole, rest = self._rest.split(b"\n") if b"\n" in data else [self._rest]
        self._rest = bytearray(rest)
        for each in whole:
            yield json.loads(each)
