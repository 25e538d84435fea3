"""The systems that answer questions over a library: ours through its server, and peers in their own environments."""

import hashlib
import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.cli.process import serving
from tests.support.make_kept_data import OWNER, User

import intelli
from bench import peers
from bench.answer_cache import Cited, Reply
from bench.answer_sets import Paragraph, Question, file_name
from bench.counting_proxy import CountingProxy

WINDOW = 8000
PEERS = {"LlamaIndex": "llamaindex_answers", "Haystack": "haystack_answers"}
VARIANTS = {"its own prompt": False, "with a sentence on what is not there": True}
_PACKAGES = {"LlamaIndex": "llama-index-core", "Haystack": "haystack-ai"}
_PROGRAM = 1
_AT_ONCE = 100
_LOOK_S = 0.2
_LONGEST_S = 3600
_RESTS = frozenset({"completed", "failed", "cancelled", "waiting"})
Json = dict[str, Any]


class Answerer(Protocol):
    """A system that was given the library."""

    def ask(self, question: Question) -> Reply:
        """Answer a question."""


@dataclass(frozen=True)
class Endpoint:
    """The model that all systems ask, and further settings of ours."""

    url: str
    model: str
    key: str
    settings: Mapping[str, str]


class System(Protocol):
    """How to begin a system."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def version(self) -> str:
        """What its replies depend on besides the question."""

    @contextmanager
    def begun(self, library: Sequence[Paragraph], endpoint: Endpoint, proxy: CountingProxy) -> Iterator[Answerer]:
        """Give it the library, and let it answer within the block."""


@dataclass(frozen=True)
class Peer:
    """A peer with one of the two prompts."""

    name: str
    variant: str

    @property
    def version(self) -> str:
        """The variant, the release that is locked, and a number to raise when our program for it changes."""
        return f"{self.variant}, {peers.locked(PEERS[self.name], _PACKAGES[self.name])}, {_PROGRAM}"

    @contextmanager
    def begun(self, library: Sequence[Paragraph], endpoint: Endpoint, proxy: CountingProxy) -> Iterator[Answerer]:
        """Start its process, which ends with its input."""
        texts = {f"{each.name} {each.language}": each.text for each in library}
        given = {"url": proxy.base_url, "key": endpoint.key or "none", "model": endpoint.model, "window": WINDOW}
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file, _errors() as errors:
            json.dump({**given, "has_sentence": VARIANTS[self.variant], "texts": texts}, file)
            file.flush()
            command = [*peers.program(PEERS[self.name]), file.name]
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, bufsize=1
            )
            try:
                yield _PeerProcess(process, proxy, errors.name)
            finally:
                process.terminate()
                process.communicate()


@contextmanager
def _errors() -> Iterator[Any]:
    with tempfile.NamedTemporaryFile("w+", suffix=".err", encoding="utf-8") as file:
        yield file


class _PeerProcess:
    """A peer at work: a line for a question, a line for its answer."""

    def __init__(self, process: "subprocess.Popen[str]", proxy: CountingProxy, errors: str) -> None:
        self._process, self._proxy, self._errors = process, proxy, errors
        self._title = str(self._hear()["name"])

    def ask(self, question: Question) -> Reply:
        """Answer a question."""
        assert self._process.stdin is not None
        self._proxy.take()
        self._process.stdin.write(f"{json.dumps(question.text)}\n")
        self._process.stdin.flush()
        said = self._hear()
        tally = self._proxy.take()
        return Reply(
            text=said.get("text", ""),
            seconds=said["seconds"],
            calls=tally.calls,
            prompt_tokens=tally.prompt_tokens,
            passages=tuple(said.get("passages", ())),
            error=said.get("error", ""),
            notes={"system": self._title},
        )

    def _hear(self) -> Json:
        """The next line of JSON; what libraries print beside it is passed over."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                said: Json = json.loads(line)
                return said
        raise RuntimeError(f"a peer ended:\n{Path(self._errors).read_text(encoding='utf-8')[-2000:]}")


@dataclass(frozen=True)
class Product:
    """Intelli, as it is served. `label` stands for its sources; without one they are read for a change."""

    label: str = ""
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """Ours."""
        return "Intelli"

    @property
    def version(self) -> str:
        """The label, or a hash of our code with the further settings."""
        return self.label or _digest(Path(intelli.__file__).parent, self.settings)

    @contextmanager
    def begun(self, library: Sequence[Paragraph], endpoint: Endpoint, proxy: CountingProxy) -> Iterator[Answerer]:
        """Serve it with the endpoint, and add the paragraphs as files."""
        named = {
            "INTELLI_MODEL__NAME": endpoint.model,
            "INTELLI_MODEL__BASE_URL": proxy.base_url,
            "INTELLI_MODEL__API_KEY": endpoint.key or "none",
            "INTELLI_MODEL__CONTEXT_TOKENS": str(WINDOW),
            "INTELLI_MODEL__OUTPUT_TOKENS": "600",
            "INTELLI_MODEL__TIMEOUT_S": "600",
            "INTELLI_MODEL__CONCURRENCY": "1",
            "INTELLI_ACCESS_TOKEN_MINUTES": "1440",
            **endpoint.settings,
        }
        with (
            tempfile.TemporaryDirectory() as folder,
            serving(Path(folder) / "data", env=named) as server,
            User(server.url) as user,
        ):
            user.client.timeout = 120
            user.sign_in("/auth/register", OWNER)
            add(user, library)
            yield _ProductServer(user, library, proxy)


def _digest(folder: Path, settings: Sequence[tuple[str, str]]) -> str:
    told = hashlib.sha256(repr(sorted(settings)).encode())
    for path in sorted(each for each in folder.rglob("*") if each.suffix in {".py", ".md", ".toml"}):
        told.update(path.read_bytes())
    return told.hexdigest()[:12]


def add(user: User, library: Sequence[Paragraph]) -> None:
    """Add paragraphs as files, and wait until they can be found."""
    for at in range(0, len(library), _AT_ONCE):
        files = [("file", (file_name(each), each.text.encode())) for each in library[at : at + _AT_ONCE]]
        user.client.post("/documents/batch", files=files).raise_for_status()
    _wait(lambda: user.get("/library/status"), lambda status: _is_indexed(status, len(library)))


def _is_indexed(status: Json, count: int) -> bool:
    if status["failed"]:
        raise RuntimeError(f"{status['failed']} documents could not be read")
    return bool(status["completed"] >= count)


def _wait(look: Callable[[], Json], is_so: Callable[[Json], bool]) -> Json:
    deadline = time.monotonic() + _LONGEST_S
    while not is_so(found := look()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"it did not come to pass: {found}")
        time.sleep(_LOOK_S)
    return found


class _ProductServer:
    """Our server with the library."""

    def __init__(self, user: User, library: Sequence[Paragraph], proxy: CountingProxy) -> None:
        self._user, self._proxy = user, proxy
        self._paragraphs = {file_name(each): each.text for each in library}

    def ask(self, question: Question) -> Reply:
        """Ask in a conversation of its own."""
        self._proxy.take()
        begun = time.perf_counter()
        conversation = self._user.post("/conversations", {})
        said = self._user.post(f"/conversations/{conversation['id']}/messages", {"content": question.text})
        run = self._rested(said["run"]["id"])
        seconds = time.perf_counter() - begun
        tally = self._proxy.take()
        message = self._answer(conversation["id"])
        asked_back = message.get("needs_clarification_message") or ""
        return Reply(
            text=message.get("content") or run["agent_response"] or asked_back,
            seconds=seconds,
            calls=tally.calls,
            prompt_tokens=tally.prompt_tokens,
            citations=tuple(self._cited(each) for each in message.get("citations", ())),
            error="" if run["status"] in {"completed", "waiting"} else f"{run['status']}: {run['error']}",
            notes=_notes(run, message, is_asked_back=run["status"] == "waiting", failures=tally.failures),
        )

    def _rested(self, run_id: str) -> Json:
        """The run once it has ended; one that takes too long is stopped, and counts as failed."""
        try:
            return _wait(lambda: self._user.get(f"/runs/{run_id}"), lambda found: found["status"] in _RESTS)
        except TimeoutError:
            self._user.client.post(f"/runs/{run_id}/cancel").raise_for_status()
            return {**self._user.get(f"/runs/{run_id}"), "status": "took too long"}

    def _answer(self, conversation_id: str) -> Json:
        messages = self._user.get(f"/conversations/{conversation_id}/messages")["items"]
        found: Json = next((each for each in reversed(messages) if each["role"] == "agent"), {})
        return found

    def _cited(self, citation: Json) -> Cited:
        """The words at a cited place, read from the document anew."""
        words = citation["quote"]
        if citation["document_id"] is not None:
            span = {"start": citation["char_start"], "end": citation["char_end"]}
            answer = self._user.client.get(f"/documents/{citation['document_id']}/text", params=span)
            words = answer.raise_for_status().text
        return Cited(words, self._paragraphs.get(citation["file_name"], ""), citation["check"])


def _notes(run: Json, message: Json, *, is_asked_back: bool, failures: int) -> dict[str, object]:
    """What helps to understand a reply later."""
    return {
        "system": "Intelli",
        "is_asked_back": is_asked_back,
        "confidence": message.get("confidence_score"),
        "problems": run["problems"],
        "reasoner": run["reasoner"],
        "failed calls": failures,
    }
