"""Asks the product without a model, through its own front door: a server, files sent to it, conversations."""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.cli.process import serving
from tests.support.make_kept_data import OWNER, User

from bench.answers.questions import LabelledQuestion
from bench.answers.scores import CitedWords, GivenAnswer
from intelli.reasoning.values import SourceText

NAME = "Intelli"
_RESTS = frozenset({"completed", "failed", "cancelled", "waiting"})
_LOOK_S, _LONGEST_S = 0.15, 900
Json = dict[str, Any]


@dataclass(frozen=True)
class ServedProduct:
    """A server with the documents, by `folder/name`, and the texts that it read from them."""

    user: User
    documents: Mapping[str, str]

    def texts(self) -> dict[str, str]:
        """Return the text that was read from each document."""
        get = self.user.client.get
        return {path: get(f"/documents/{name}/text").raise_for_status().text for path, name in self.documents.items()}

    def ask(self, question: LabelledQuestion) -> GivenAnswer:
        """Ask in a conversation of its own, after the turn before it where there is one."""
        conversation = self.user.post("/conversations", {})["id"]
        if question.after:
            self.say(conversation, question.after, question.focus)
        run = self.say(conversation, question.text, question.focus)
        messages = self.user.get(f"/conversations/{conversation}/messages")["items"]
        message: Json = next((each for each in reversed(messages) if each["role"] == "agent"), {})
        confidence = message.get("confidence") or {}
        is_asked_back = run["status"] == "waiting"
        return GivenAnswer(
            text="" if is_asked_back else message.get("content") or run["agent_response"] or "",
            cited=tuple(self._cited(each) for each in message.get("citations", ())),
            confidence=message.get("confidence_score"),
            level=confidence.get("level"),
        )

    def searches(self, question: LabelledQuestion) -> list[tuple[str, list[Json]]]:
        """Ask, and return each search that was made for it: the query, and the passages as a reasoner is given them."""
        conversation = self.user.post("/conversations", {})["id"]
        if question.after:
            self.say(conversation, question.after, question.focus)
        run = self.say(conversation, question.text, question.focus)
        used = self.user.get(f"/runs/{run['id']}/interactions")["items"]
        return [
            (each["tool_input"]["query"], [_source_text(passage) for passage in each["tool_output"]["passages"]])
            for each in used
            if each["tool_name"] == "search_documents"
        ]

    def say(self, conversation: str, text: str, focus: str = "") -> Json:
        """Say something in a conversation, and return the run once it rests."""
        body = {"content": text, "context_references": [self._reference(focus)] if focus else []}
        said = self.user.post(f"/conversations/{conversation}/messages", body)
        return _until(lambda: self.user.get(f"/runs/{said['run']['id']}"), lambda run: run["status"] in _RESTS)

    def _reference(self, focus: str) -> Json:
        if "/" in focus:
            return {"reference_type": "file", "document_id": self.documents[focus]}
        return {"reference_type": "folder", "folder_path": f"/{focus}"}

    def _cited(self, citation: Json) -> CitedWords:
        """Return the words at a cited place, read from the document anew."""
        name, words = citation["file_name"], None
        if citation["document_id"] is not None:
            span = {"start": citation["char_start"], "end": citation["char_end"]}
            answer = self.user.client.get(f"/documents/{citation['document_id']}/text", params=span)
            words = answer.text if answer.is_success and answer.text.strip() else None
        return CitedWords(name, words)


@contextmanager
def served(
    documents: Mapping[str, bytes], settings: Mapping[str, str] | None = None, models: Path | None = None
) -> Iterator[ServedProduct]:
    """Serve the product without a model, with the documents in its library; `models` are encoders to install."""
    named = {"INTELLI_ACCESS_TOKEN_MINUTES": "1440", **(settings or {})}
    with (
        TemporaryDirectory() as folder,
        _installed(models, Path(folder) / "data"),
        serving(Path(folder) / "data", env=named) as server,
        User(server.url) as user,
    ):
        user.client.timeout = 120
        user.sign_in("/auth/register", OWNER)
        ids = {path: _add(user, path, content) for path, content in documents.items()}
        status = _until(lambda: user.get("/library/status"), lambda found: _is_indexed(found, len(ids)))
        if status["failed"]:
            raise RuntimeError(f"{status['failed']} documents could not be read")
        yield ServedProduct(user, ids)


@contextmanager
def _installed(models: Path | None, data: Path) -> Iterator[None]:
    if models is not None:
        shutil.copytree(models, data / "models")
    yield


def _source_text(passage: Json) -> Json:
    return {name: passage[name] for name in SourceText.model_fields if name in passage}


def _add(user: User, path: str, content: bytes) -> str:
    folder, name = path.split("/")
    return str(user.upload(name, content, folder=f"/{folder}")["id"])


def _is_indexed(status: Json, count: int) -> bool:
    return bool(status["completed"] + status["failed"] >= count)


def _until(look: Callable[[], Json], is_so: Callable[[Json], bool]) -> Json:
    deadline = time.monotonic() + _LONGEST_S
    while not is_so(found := look()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"it did not come to pass: {found}")
        time.sleep(_LOOK_S)
    return found
