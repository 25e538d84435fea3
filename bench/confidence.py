"""Is an answer right as often as its confidence says?

`python -m bench.confidence` answers XQuAD's questions without a model, in English and German, half of them with the
paragraph that answers taken away. An answer is right when it contains the labelled answer. Weights are learnt on the
questions of every second paragraph and reported on the others. Answers that a model wrote and judged are composed of
the labelled statements, whose verdicts a recorded judge gave (`--judged FILE`).
"""

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from bench import citations, data
from bench.evidence_quality import Index, read
from bench.figures import Comparison, Size, show
from intelli.citations.check import CheckedStatement
from intelli.citations.confidence import AnswerFacts, StatementFacts, assess
from intelli.citations.wire import Check, JudgedBy, StatementKind
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.settings import EmbeddingSettings
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.judge import Verdict

QUESTION = "Is an answer right as often as its confidence says?"
LANGUAGES = ("en", "de")
_BINS = 10
_TODAY = date(2026, 1, 1)
Labelled = tuple[AnswerFacts, bool]


def facts_of(checked: Sequence[CheckedStatement], relevance: float, open_parts: int = 0) -> AnswerFacts:
    """What is known of an answer whose statements were checked."""
    told = [
        StatementFacts(
            each.statement.kind, each.verdict, each.check, each.judged_by, is_cited=bool(each.statement.ordinals)
        )
        for each in checked
    ]
    return AnswerFacts(told, relevance, open_parts)


async def answers(language: str, *, limit: int) -> tuple[list[Labelled], list[Labelled]]:
    """Answers to learn from and answers to report on, each with whether it is right."""
    folder = data.folder() / "xquad"
    rows = read(folder / f"corpus.{language}.jsonl")
    index = Index([SourceText(identifier=row["_id"], title=row["title"], text=row["text"]) for row in rows], language)
    lines = (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    gold = dict(line.split("\t")[:2] for line in lines)
    asked = read(folder / f"queries.{language}.jsonl")
    asked = asked[:: max(1, len(asked) // limit)]
    places = {row["_id"]: number for number, row in enumerate(rows)}
    reasoner, tally = ExtractiveReasoner(Embedders(EmbeddingSettings()).reader), citations.Tally()
    halves: tuple[list[Labelled], list[Labelled]] = ([], [])
    for number, row in enumerate(asked):
        without = gold[row["_id"]] if number % 2 else None
        answered = await citations.answer(
            row["text"], lambda query, absent=without: index.search(query, without=absent), reasoner, tally
        )
        if answered.statements and answered.proofs:
            is_right = any(each in answered.text for each in row["answers"])
            labelled = (facts_of(answered.statements, answered.confidence), is_right)
            halves[places[gold[row["_id"]]] % 2].append(labelled)
    return halves


def composed(path: Path) -> list[Labelled]:
    """Answers of four judged statements each, right when all of them are; as many false ones as models write."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    true = [row for row in rows if row["is_true"]]
    false = [row for row in rows if not row["is_true"]]
    found = []
    for number in range(0, len(true) - 3, 4):
        chosen = true[number : number + 4]
        if number % 5 == 0 and false:
            chosen = [*chosen[:3], false[(number * 7) % len(false)]]
        told = [_fact(row) for row in chosen]
        found.append((AnswerFacts(told, 1.0), all(row["is_true"] for row in chosen)))
    return found


def _fact(row: Mapping[str, str]) -> StatementFacts:
    verdict, check = Verdict(row["verdict"]), Check(row["check"])
    return StatementFacts(StatementKind.SENTENCE, verdict, check, JudgedBy.MODEL, is_cited=True)


def calibration_error(labelled: Sequence[Labelled]) -> tuple[float, float, float]:
    """The expected calibration error, the mean confidence, and the share of right answers."""
    assessed = [(assess(facts, today=_TODAY), is_right) for facts, is_right in labelled]
    pairs = [(found.score, is_right) for found, is_right in assessed if found is not None]
    scores, rights = np.array([score for score, _ in pairs]), np.array([is_right for _, is_right in pairs], float)
    bins = np.minimum((scores * _BINS).astype(int), _BINS - 1)
    error = sum(abs(scores[bins == at].sum() - rights[bins == at].sum()) for at in range(_BINS)) / max(len(pairs), 1)
    return float(error), float(scores.mean()), float(rights.mean())


def learn(labelled: Sequence[Labelled]) -> tuple[float, float]:
    """The base and the weight of relevance that labelled extractive answers ask for."""
    shares = np.clip([facts.relevance for facts, _ in labelled], 0.02, 0.98)
    features = np.stack([np.ones(len(shares)), np.log(shares / (1 - shares))], axis=1)
    rights = np.array([is_right for _, is_right in labelled], float)
    weights = np.zeros(2)
    for _ in range(2000):
        weights += 0.5 * features.T @ (rights - 1 / (1 + np.exp(-features @ weights))) / len(rights)
    return float(weights[0]), float(weights[1])


async def measure(size: Size) -> list[Comparison]:
    """Measure the calibration of extractive answers, on the half that was learnt from and on the other."""
    halves = [await answers(language, limit=size.of(600, 6)) for language in LANGUAGES]
    seen, unseen = ([each for half in halves for each in half[at]] for at in (0, 1))
    base, relevance = learn(seen or unseen)
    print(f"learnt on the first half: base {base:.2f}, relevance {relevance:.2f}")
    ways = {}
    for name, labelled in (("learnt from", seen), ("not seen", unseen)):
        if labelled:
            error, mean, right = calibration_error(labelled)
            figures = {"calibration error": error, "mean": mean, "right": right}
            ways |= {f"{name}: {what}": 100 * value for what, value in figures.items()}
    return [Comparison(f"extractive answers, {len(seen)} and {len(unseen)}", "%", ways or {"none": 0.0})]


async def main() -> None:
    """Measure both kinds of answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judged", type=Path, help="verdicts of a judge on labelled statements, one JSON a line")
    given = parser.parse_args()
    show(QUESTION, await measure(Size.USUAL))
    if given.judged:
        labelled = composed(given.judged)
        error, mean, right = calibration_error(labelled)
        print(f"  {len(labelled)} composed answers: calibration error {error:.3f}, mean {mean:.3f}, right {right:.3f}")


if __name__ == "__main__":
    asyncio.run(main())
