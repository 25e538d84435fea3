"""Raw replies in a file of JSON lines: what was asked once is not asked again, and can be scored without a model."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Key:
    """What a reply depends on. `version` is of the system and of its prompt."""

    split: str
    system: str
    version: str
    model: str
    question: str
    language: str


@dataclass(frozen=True)
class Cited:
    """A place that an answer cites: the words there, and the paragraph that they stand in."""

    words: str
    paragraph: str
    check: str = ""


@dataclass(frozen=True)
class Reply:
    """What a system answered, and what it took. With an `error` it did not answer."""

    text: str
    seconds: float
    calls: int
    prompt_tokens: int
    passages: tuple[str, ...] = ()
    citations: tuple[Cited, ...] = ()
    error: str = ""
    notes: dict[str, object] = field(default_factory=dict)


class AnswerCache:
    """The replies of a file; a line that a kill has torn is passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._replies: dict[Key, Reply] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for line in lines:
            self._read(line)

    def find(self, key: Key) -> Reply | None:
        """A reply that is kept."""
        return self._replies.get(key)

    def keep(self, key: Key, reply: Reply) -> None:
        """Keep a reply, in the file at once."""
        self._replies[key] = reply
        self.path.parent.mkdir(parents=True, exist_ok=True)
        begin = "\n" if self._is_torn() else ""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{begin}{json.dumps({'key': asdict(key), 'reply': asdict(reply)}, ensure_ascii=False)}\n")

    def _is_torn(self) -> bool:
        if not self.path.exists() or not (size := self.path.stat().st_size):
            return False
        with self.path.open("rb") as file:
            file.seek(size - 1)
            return file.read(1) != b"\n"

    def _read(self, line: str) -> None:
        try:
            kept = json.loads(line)
            told = kept["reply"]
            cited = tuple(Cited(**each) for each in told.pop("citations"))
            reply = Reply(**{**told, "passages": tuple(told["passages"]), "citations": cited})
            self._replies[Key(**kept["key"])] = reply
        except (ValueError, KeyError, TypeError):
            return
