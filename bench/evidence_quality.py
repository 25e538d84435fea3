"""Does the extractive reasoner cite the right sentences, and nothing where nothing bears on the question?

`python -m bench.evidence_quality` asks about SciFact's claims, and about XQuAD in six languages, with and without the
paragraph that answers. The data stands beside the repository.
"""

import asyncio
import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import data
from bench.figures import Comparison, Size, show
from intelli.language import words
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.ports import TokenEncoder
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.note import NoteInput
from intelli.reasoning.verbs.understand import PlannedTask

QUESTION = "Does the extractive reasoner cite the right sentences, and nothing where nothing bears on the question?"
LANGUAGES = ("en", "de", "es", "ru", "zh", "ar")
_PASSAGES = 5
_FALSE_EVIDENCE = 0.30
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Rates:
    """Share of questions with evidence for which a right sentence is cited; of the others, for which anything is."""

    any_hit: float
    false_evidence: float


class Index:
    """In-memory BM25 index of passages, in place of the product's search."""

    def __init__(self, passages: Sequence[SourceText], language: str) -> None:
        self.passages = passages
        self._language = language
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        counts = [Counter(words.terms_of(f"{each.title} {each.text}", language)) for each in passages]
        self._lengths = [count.total() for count in counts]
        self._mean = sum(self._lengths) / len(passages)
        for number, count in enumerate(counts):
            for term, times in count.items():
                self._postings[term].append((number, times))

    def search(self, query: str, *, without: str | None = None, most: int = _PASSAGES) -> list[SourceText]:
        """The best passages."""
        scores: Counter[int] = Counter()
        for term in set(words.terms_of(query, self._language)):
            found = self._postings.get(term, [])
            rarity = math.log1p((len(self.passages) - len(found) + 0.5) / (len(found) + 0.5))
            for number, times in found:
                length = 0.25 + 0.75 * self._lengths[number] / self._mean
                scores[number] += rarity * times * 2.2 / (times + 1.2 * length)  # type: ignore[assignment]
        best = (self.passages[number] for number, _ in scores.most_common(most + 1))
        return [passage for passage in best if passage.identifier != without][:most]


def read(path: Path) -> Rows:
    """A file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def abstracts() -> tuple[Index, dict[str, list[int]]]:
    """SciFact's abstracts as passages, and where each of their sentences begins."""
    starts: dict[str, list[int]] = {}
    passages = []
    for row in read(data.folder() / "scifact" / "corpus.jsonl"):
        lengths = [len(sentence) + 1 for sentence in row["sentences"]]
        starts[row["_id"]] = [sum(lengths[:number]) for number in range(len(lengths))]
        passages.append(SourceText(identifier=row["_id"], title=row["title"], text=" ".join(row["sentences"])))
    return Index(passages, "en"), starts


async def predict(index: Index, starts: dict[str, list[int]], claims: Rows, reader: TokenEncoder | None = None) -> Rows:
    """What the reasoner cites for each claim, in the form that the scorer reads."""
    reasoner = ExtractiveReasoner(reader)
    predictions = []
    for claim in claims:
        task = PlannedTask(title=claim["claim"], message=claim["claim"], queries=(claim["claim"],))
        passages = tuple(index.search(claim["claim"]))
        notes, _ = await reasoner.do(NoteInput(question=claim["claim"], task=task, passages=passages))
        texts = {passage.identifier: passage.text for passage in passages}
        cited: dict[str, set[int]] = defaultdict(set)
        for finding in notes.findings:
            at = texts[finding.identifier].index(finding.quote)
            span = range(at, at + len(finding.quote))
            cited[finding.identifier] |= overlapped(starts[finding.identifier], span)
        evidence = {document: {"sentences": sorted(numbers)} for document, numbers in cited.items()}
        predictions.append({"id": claim["id"], "evidence": evidence})
    return predictions


def overlapped(starts: list[int], span: range) -> set[int]:
    """Gold sentences that begin within the span, and the one it begins in."""
    inside = {number for number, start in enumerate(starts) if start in span}
    return inside or {max(number for number, start in enumerate(starts) if start <= span.start)}


def rates(claims: Rows, predictions: Rows) -> Rates:
    """The two rates, defined as the scorer does."""
    hits = [
        _is_hit(claim, row["evidence"]) for claim, row in zip(claims, predictions, strict=True) if claim["evidence"]
    ]
    false = [bool(row["evidence"]) for claim, row in zip(claims, predictions, strict=True) if not claim["evidence"]]
    return Rates(sum(hits) / len(hits), sum(false) / len(false))


def _is_hit(claim: dict[str, Any], evidence: dict[str, Any]) -> bool:
    return any(
        set(group["sentences"]) & set(evidence.get(document, {}).get("sentences", []))
        for document, groups in claim["evidence"].items()
        for group in groups
    )


async def questions(language: str, *, limit: int, reader: TokenEncoder | None = None) -> Rates:
    """XQuAD: is a sentence with the answer cited; and is anything, when its paragraph is taken away?"""
    folder = data.folder() / "xquad"
    rows = read(folder / f"corpus.{language}.jsonl")
    index = Index([SourceText(identifier=row["_id"], title=row["title"], text=row["text"]) for row in rows], language)
    lines = (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    gold = dict(line.split("\t")[:2] for line in lines)
    asked = read(folder / f"queries.{language}.jsonl")
    asked = asked[:: max(1, len(asked) // limit)]
    reasoner = ExtractiveReasoner(reader)
    hits = false = 0
    for row in asked:
        task = PlannedTask(title=row["text"], message=row["text"], queries=(row["text"].rstrip("?"),))
        found, _ = await reasoner.do(
            NoteInput(question=row["text"], task=task, passages=tuple(index.search(row["text"])))
        )
        hits += any(answer in finding.quote for finding in found.findings for answer in row["answers"])
        rest = tuple(index.search(row["text"], without=gold[row["_id"]]))
        found, _ = await reasoner.do(NoteInput(question=row["text"], task=task, passages=rest))
        false += bool(found.findings)
    return Rates(hits / len(asked), false / len(asked))


async def measure(size: Size = Size.USUAL, reader: TokenEncoder | None = None) -> list[Comparison]:
    """Ask about SciFact and XQuAD."""
    index, starts = abstracts()
    found: dict[str, Rates] = {}
    for split in ("train", "dev"):
        claims = read(data.folder() / "scifact" / f"claims.{split}.jsonl")
        predictions = await predict(index, starts, claims, reader)
        found[f"scifact {split}"] = rates(claims, predictions)
    for language in LANGUAGES:
        found[f"xquad {language}"] = await questions(language, limit=size.of(200, 2), reader=reader)
    return [
        Comparison("a right sentence is cited", "", {name: each.any_hit for name, each in found.items()}),
        Comparison("cited where nothing bears on it", "", {name: each.false_evidence for name, each in found.items()}),
    ]


if __name__ == "__main__":
    show(QUESTION, asyncio.run(measure()))
