"""Loads the labelled questions of a half, with what a right answer says and what none may say.

A folder's `questions.toml` has `focus`, which its questions are asked in unless they name another, and the questions:

* `q`, `after` (the question of the turn before), `kind`, `language` (`en`, `de`, `de→en`: a German question on an
  English document, `en→de`).
* `must`: a group for each fact; of the alternatives in a group (`a | b`) one has to be said.
* `not`: traps. `=398.1 ~ 2022` may be said only in a statement or row that says `2022` as well.
* `docs`: of each group of alternatives one document has to be cited. `names`: the documents that are asked for.
* `evidence`: what the cited words have to contain where it is not `must`, as for a sum.
* `sort`, of `kind = "unanswerable"` only: why there is no answer. With `must` an answer may say this instead.

`bench/answers/gold.py` says how a fact is written.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.answers.documents import folders
from bench.answers.gold import GoldTrap, Group, read_group, read_trap

UNANSWERABLE = "unanswerable"
# The result of these is in no document; without `evidence` of their own their citations are held to `docs` alone.
_CALCULATED = frozenset({"sum", "difference/share"})


@dataclass(frozen=True)
class LabelledQuestion:
    """A question with its gold. `focus` is a folder, or a document as `folder/name`."""

    id: str
    folder: str
    text: str
    kind: str
    language: str
    focus: str
    after: str | None
    must: tuple[Group, ...]
    traps: tuple[GoldTrap, ...]
    docs: tuple[tuple[str, ...], ...]
    names: tuple[tuple[str, ...], ...]
    evidence: tuple[Group, ...]
    sort: str

    @property
    def is_answerable(self) -> bool:
        """Whether the documents answer it."""
        return self.kind != UNANSWERABLE

    @property
    def is_calculated(self) -> bool:
        """Whether the answer stands in no document and has to be calculated."""
        return self.kind in _CALCULATED

    @property
    def form(self) -> str:
        """The kind, with the sort of what cannot be answered."""
        return self.kind if self.is_answerable else f"{self.kind}: {self.sort}"


def load_questions(half: str) -> list[LabelledQuestion]:
    """Load the questions of a half, in the order of its folders and files."""
    return [question for folder in folders(half) for question in load_folder(folder)]


def load_folder(folder: Path) -> Iterable[LabelledQuestion]:
    """Load the questions of a folder."""
    told = tomllib.loads((folder / "questions.toml").read_text(encoding="utf-8"))
    for number, given in enumerate(told["question"], 1):
        yield _read(given, f"{folder.name}-{number:02}", focus=given.get("focus", told["focus"]), folder=folder.name)


def _read(given: Mapping[str, Any], name: str, *, focus: str, folder: str) -> LabelledQuestion:
    must = tuple(map(read_group, given.get("must", ())))
    kind = given["kind"]
    told = tuple(map(read_group, given["evidence"])) if "evidence" in given else None
    return LabelledQuestion(
        id=name,
        folder=folder,
        text=given["q"],
        kind=kind,
        language=given.get("language", "en"),
        focus=focus,
        after=given.get("after"),
        must=must,
        traps=tuple(map(read_trap, given.get("not", ()))),
        docs=tuple(map(_alternatives, given.get("docs", ()))),
        names=tuple(map(_alternatives, given.get("names", ()))),
        evidence=told if told is not None else () if kind in _CALCULATED or kind == UNANSWERABLE else must,
        sort=given.get("sort", ""),
    )


def _alternatives(group: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in group.split("|"))
