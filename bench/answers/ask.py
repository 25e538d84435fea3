"""Asks the questions of a half of the product and of the baselines, and keeps the replies in a file if one is named."""

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.answers import baselines, peers, product
from bench.answers.documents import make_documents
from bench.answers.questions import LabelledQuestion, load_questions
from bench.answers.scores import CitedWords, GivenAnswer, read_answer
from bench.answers.totals import AskedQuestion

Ask = Callable[[LabelledQuestion], GivenAnswer]


@dataclass(frozen=True)
class Choice:
    """Which questions to ask; `limit` takes them from all over. Of folders that are named all others are left out."""

    kinds: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    limit: int | None = None
    has_peers: bool = False
    together: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)

    def of(self, questions: Sequence[LabelledQuestion]) -> list[LabelledQuestion]:
        """Choose questions."""
        found = [
            each
            for each in questions
            if (not self.kinds or each.kind in self.kinds) and (not self.folders or each.folder in self.folders)
        ]
        count = len(found) if self.limit is None else min(self.limit, len(found))
        return [found[number * len(found) // count] for number in range(count)]


class Replies:
    """Replies that are kept, by system and question; each is written at once."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        rows = [json.loads(line) for line in lines]
        self._known = {(row["system"], row["id"]): _given(row["given"]) for row in rows}

    def get(self, system: str, question: LabelledQuestion, ask: Ask) -> GivenAnswer:
        """Return what is kept, or ask."""
        key = (system, question.id)
        if key not in self._known:
            given = self._known[key] = ask(question)
            if self._path:
                with self._path.open("a", encoding="utf-8") as file:
                    row = {"system": system, "id": question.id, "given": asdict(given)}
                    file.write(f"{json.dumps(row, ensure_ascii=False)}\n")
        return self._known[key]

    def has_all(self, system: str, questions: Sequence[LabelledQuestion]) -> bool:
        """Whether a system need not be asked any more."""
        return all((system, each.id) in self._known for each in questions)


def _given(row: dict[str, object]) -> GivenAnswer:
    cited = tuple(CitedWords(**each) for each in row["cited"])  # type: ignore[union-attr,attr-defined]
    return GivenAnswer(**{**row, "cited": cited})  # type: ignore[arg-type]


def ask_half(half: str, choice: Choice, replies: Path | None = None) -> dict[str, list[AskedQuestion]]:
    """Ask all systems the chosen questions of a half; the documents of the whole half are in the library."""
    questions = choice.of(load_questions(half))
    kept = Replies(replies)
    systems = [product.NAME, baselines.NAME, *(peers.NAMES if choice.has_peers else ())]
    if all(kept.has_all(name, questions) for name in systems):
        return {name: _read(name, questions, kept, _refuse) for name in systems}
    documents = make_documents(half)
    if choice.folders:
        documents = {path: content for path, content in documents.items() if path.split("/")[0] in choice.folders}
    with product.served(documents, choice.settings) as served:
        texts = served.texts()
        asked = {
            product.NAME: _read(product.NAME, questions, kept, served.ask, together=choice.together),
            baselines.NAME: _read(baselines.NAME, questions, kept, baselines.FirstSentences(texts).ask),
        }
    for name in peers.NAMES if choice.has_peers else ():
        with peers.begun(name, texts) as peer:
            asked[name] = _read(name, questions, kept, peer.ask)
    return asked


def _read(
    system: str, questions: Sequence[LabelledQuestion], kept: Replies, ask: Ask, *, together: int = 1
) -> list[AskedQuestion]:
    with ThreadPoolExecutor(together) as threads:
        given = list(threads.map(lambda each: kept.get(system, each, ask), questions))
    return [AskedQuestion(each, found, read_answer(each, found)) for each, found in zip(questions, given, strict=True)]


def _refuse(question: LabelledQuestion) -> GivenAnswer:
    raise AssertionError(f"{question.id} was not kept")
