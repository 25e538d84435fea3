"""Labelled statements with their sources, in two halves: `seen` while the check was built, and `unseen`."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from intelli.citations.check import CheckedStatement
from intelli.citations.parse import tag
from intelli.citations.prove import ProofMaterial, StoredText
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span

FOLDER = Path(__file__).with_name("check_data")
HALVES = ("seen", "unseen")
# A true item is as good as the worst of its statements, a false one as far caught as the worst.
_WORST_FIRST = (Check.FAILED, Check.WEAK, Check.UNCHECKED, Check.VERIFIED)
_CITED = re.compile(r"\[(\w+)\]")


@dataclass(frozen=True)
class Item:
    """A text with citations, what is labelled of it (all of it when `of` is empty), the label, and its kind."""

    id: str
    text: str
    of: str
    is_true: bool
    kind: str
    language: str


@dataclass(frozen=True)
class LabelledSet:
    """Documents of one invented world, and the statements about them."""

    name: str
    items: Sequence[Item]
    material: ProofMaterial


@dataclass(frozen=True)
class JoinedText:
    """Several items as one text, each with its place in it."""

    text: str
    places: Sequence[tuple[Item, int, int]]


def load(half: str) -> list[LabelledSet]:
    """Load a half of the labelled statements."""
    return [_read(path) for path in sorted((FOLDER / half).glob("*.json"))]


def _read(path: Path) -> LabelledSet:
    given = json.loads(path.read_text(encoding="utf-8"))
    passages: dict[str, Passage] = {}
    sources: dict[str, StoredText] = {}
    for document in given["documents"]:
        text, starts = _joined(document["passages"])
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        sources[sha256] = StoredText(sha256, text, is_whole=True)
        dated = f" ({document['date']})" if document["date"] else ""
        for each, start in zip(document["passages"], starts, strict=True):
            passages[each["id"]] = Passage(
                Span(sha256, start, start + len(each["text"])),
                each["text"],
                title=f"{document['title']}{dated}",
                path="",
                mime_type="text/plain",
                score=1.0,
                page=each["page"],
                section=each["section"],
            )
    items = [
        Item(each["id"], each["text"], each["of"], each["label"] == "true", each["kind"], each["language"])
        for each in given["items"]
    ]
    return LabelledSet(path.stem, items, ProofMaterial(passages, sources))


def _joined(passages: Sequence[dict[str, str]]) -> tuple[str, list[int]]:
    """The passages of a document as its text, each below its heading, and where each begins."""
    text, starts, last = "", [], ""
    for each in passages:
        heading = each["section"].split(" > ")[-1]
        text += f"{'' if not text else chr(10) * 2}{heading if each['section'] != last else ''}\n\n".lstrip("\n")
        starts.append(len(text))
        text += each["text"]
        last = each["section"]
    return text, starts


def join(items: Sequence[Item]) -> JoinedText:
    """Write items as one text, as an answer would have them, with citations in their canonical form."""
    text = ""
    places = []
    for item in items:
        said = _CITED.sub(lambda cited: tag(cited[1]), item.text)
        text += "\n\n" if text else ""
        places.append((item, len(text), len(text) + len(said)))
        text += said
    return JoinedText(text, places)


def outcomes(joined: JoinedText, checked: Sequence[CheckedStatement]) -> Iterator[tuple[Item, Check]]:
    """Yield what the check of each item came to; one that was bound to another source failed with its own."""
    for item, start, end in joined.places:
        mine = [each for each in checked if start <= each.statement.start < end]
        if item.of:
            wanted = [each for each in mine if _is_about(item.of, each, joined.text)]
            mine = wanted or mine
        found = [Check.FAILED if each.bound else each.check for each in mine]
        yield item, min(found, key=_WORST_FIRST.index, default=Check.UNCHECKED)


def of_true_items(joined: JoinedText, checked: Sequence[CheckedStatement]) -> list[CheckedStatement]:
    """Return the statements of the true items."""
    spans = [range(start, end) for item, start, end in joined.places if item.is_true]
    return [each for each in checked if any(each.statement.start in span for span in spans)]


def _is_about(words: str, checked: CheckedStatement, text: str) -> bool:
    shown = re.sub(r"<[^>]*>", "", text[checked.statement.start : checked.statement.end])
    return words in " ".join(shown.split()) or words in checked.statement.text
