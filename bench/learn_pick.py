"""What weights of the pick do labelled questions teach, and how true are the probabilities on questions held back?

The pick is a logistic regression over the numbers that `intelli.reasoning.extractive.pick` describes. Here they are
learnt from all candidates of a question's passages, labelled by whether they hold the answer: of the half `dev` of
`bench.answers`, with the passages that the product finds, of XQuAD, with the paragraphs that words find, once with
the paragraph that answers and once without it, and of SciFact's claims for learning. Of `dev` one folder at a time is
held back, of the others every second question. The multilingual encoder learns from questions in another language
than their passages as well.
`python -m bench.learn_pick [--encoder multilingual --models DIR] [--questions 300] [--write] [--searches FILE]`.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench import data, logistic
from bench.answers import product
from bench.answers.documents import make_documents
from bench.answers.gold import read_text, says
from bench.answers.questions import LabelledQuestion, load_questions
from bench.evidence_quality import Index, abstracts, read
from bench.logistic import Numbers
from intelli.language import words
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.extractive import pick, question, token_match, vetoes, weigh
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.ports import TokenEncoder
from intelli.reasoning.settings import EmbeddingSettings
from intelli.reasoning.values import SourceText

_LANGUAGES = ("en", "de")
_PASSAGES = 8
_FEW = 2
# XQuAD's questions were written with the paragraph in view; so much weight is theirs and of claims beside `dev`.
_WORTH_OF_PUBLIC = 0.4
_PUBLIC = ("xquad", "claims")
# What tables answer, or all of a document, no statement does.
_OTHERWISE = frozenset(
    {"table lookup", "sum", "extreme", "difference/share", "comparison", "course", "which documents", "summary"}
)
_ACROSS = frozenset({"de\u2192en", "en\u2192de"})
_FILE = Path(pick.__file__).with_name("pick.toml")
Learnt = dict[str, tuple[tuple[str, ...], Numbers]]
_SOURCE = """# Weights of the pick, which bench/learn_pick.py learnt on the questions of bench/answers/dev, of XQuAD
# (Artetxe et al. 2020, CC BY-SA 4.0) and on the claims of SciFact (Wadden et al. 2020, CC BY 4.0).
"""


@dataclass(frozen=True)
class PickTrial:
    """The candidates of one question: their features, and which of them hold the answer. `fold` is held back as one."""

    fold: str
    is_answerable: bool
    words: Numbers
    tokens: Numbers | None
    labels: Numbers
    vetoed: Numbers


@dataclass(frozen=True)
class LabelledSearch:
    """A question as it was searched for, its passages, and the texts by which a candidate is right."""

    fold: str
    query: str
    passages: tuple[SourceText, ...]
    question: LabelledQuestion | None
    answers: tuple[str, ...] = ()

    def is_right(self, candidate: Candidate) -> bool:
        """Whether a candidate holds the answer."""
        if self.question is None:
            return any(answer in candidate.quote for answer in self.answers)
        text = read_text(candidate.quote.replace("\t", " "))
        if not any(candidate.passage.title in group for group in self.question.docs):
            return False
        is_trapped = any(trap.is_in(text) for trap in self.question.traps)
        return not is_trapped and any(says(text, group) for group in self.question.must)


def ask_product(file: Path | None, encoder: EmbeddingName, models: Path | None) -> list[LabelledSearch]:
    """Return the searches that the product makes for the questions of `dev`; from a file of them if there is one."""
    settings = {"INTELLI_EMBEDDING__NAME": encoder.value}
    questions = [each for each in load_questions("dev") if each.kind not in _OTHERWISE]
    if file is not None and file.exists():
        kept = json.loads(file.read_text(encoding="utf-8"))
    else:
        with product.served(make_documents("dev"), settings, models) as served:
            kept = {each.id: served.searches(each) for each in questions}
        if file is not None:
            file.write_text(json.dumps(kept), encoding="utf-8")
    return [
        LabelledSearch(each.folder, query, tuple(map(SourceText.model_validate, found)), each)
        for each in questions
        for query, found in kept[each.id][:1]
        if each.language not in _ACROSS or encoder is EmbeddingName.MULTILINGUAL
    ]


def of_xquad(language: str, count: int, asked_in: str = "") -> Iterator[LabelledSearch]:
    """Yield the questions of XQuAD with the paragraphs that words find, and again without the one that answers.

    They may be asked in another language: the paragraphs are those that the question in their own language finds.
    """
    folder = data.folder() / "xquad"
    rows = read(folder / f"corpus.{language}.jsonl")
    index = Index([SourceText(identifier=row["_id"], title=row["title"], text=row["text"]) for row in rows], language)
    lines = (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    gold = dict(line.split("\t")[:2] for line in lines)
    asked = read(folder / f"queries.{language}.jsonl")
    said = {row["_id"]: row["text"] for row in read(folder / f"queries.{asked_in or language}.jsonl")}
    for number, row in enumerate(asked[:: max(1, len(asked) // count)]):
        for without in (None, gold[row["_id"]]):
            passages = tuple(index.search(row["text"], without=without, most=_PASSAGES))
            answers = tuple(row["answers"]) if without is None else ()
            fold = f"xquad{' across' if asked_in else ''} {number % 2}"
            yield LabelledSearch(fold, said[row["_id"]], passages, None, answers)


def of_claims(count: int) -> Iterator[LabelledSearch]:
    """Yield scientific claims of SciFact that are for learning, with the abstracts that words find."""
    index, _ = abstracts()
    folder = data.folder() / "scifact"
    sentences = {row["_id"]: row["sentences"] for row in read(folder / "corpus.jsonl")}
    for number, row in enumerate(read(folder / "claims.train.jsonl")[:count]):
        passages = tuple(index.search(row["claim"], most=_PASSAGES))
        proofs = [(found, each["sentences"]) for found, listed in row["evidence"].items() for each in listed]
        answers = tuple(sentences[found][at].strip() for found, places in proofs for at in places)
        yield LabelledSearch(f"claims {number % 2}", row["claim"], passages, None, answers)


async def try_out(searched: LabelledSearch, reader: TokenEncoder | None) -> PickTrial | None:
    """Return the candidates of a search with their features; None without any."""
    found = weigh.candidates(searched.passages, words.language_of(searched.query))
    if not found:
        return None
    wanted = question.read(searched.query)
    tokens = None
    if reader is not None:
        states = await token_match.read_passages(reader, searched.passages)
        tokens = pick.token_features(found, wanted, await token_match.match(reader, searched.query, found, states))
    labels = np.array([searched.is_right(each) for each in found], float)
    is_answerable = bool(labels.any())
    vetoed = np.array(vetoes.find_vetoed(found, wanted), float)
    return PickTrial(searched.fold, is_answerable, pick.word_features(found, wanted), tokens, labels, vetoed)


def fit(trials: Sequence[PickTrial], *, is_tokens: bool) -> Numbers:
    """Return bias and weights."""
    easier = [each.fold.startswith(_PUBLIC) for each in trials]
    counts = [
        sum(len(each.labels) for each, is_easier in zip(trials, easier, strict=True) if is_easier is which)
        for which in (False, True)
    ]
    worth_of = {False: 1.0, True: _WORTH_OF_PUBLIC * counts[0] / max(1, counts[1])}
    worth = np.concatenate(
        [np.full(len(each.labels), worth_of[is_easier]) for each, is_easier in zip(trials, easier, strict=True)]
    )
    return logistic.solve(_features(trials, is_tokens=is_tokens), np.concatenate([t.labels for t in trials]), worth)


def report(name: str, trials: Sequence[PickTrial], *, is_tokens: bool) -> None:
    """Print how the best candidate fares in folds that were held back."""
    folds = sorted({each.fold for each in trials})
    for part in ("dev", "xquad", "xquad across", "claims"):
        first: list[tuple[float, float, bool]] = []
        for fold in folds:
            if part != (fold[:-2] if fold.startswith(_PUBLIC) else "dev"):
                continue
            weights = fit([each for each in trials if each.fold != fold], is_tokens=is_tokens)
            for each in trials:
                if each.fold == fold:
                    chances = _chances([each], weights, is_tokens=is_tokens)
                    best = int(chances.argmax())
                    first.append((float(chances[best]), float(each.labels[best]), each.is_answerable))
        if first:
            _print(f"{name}, {part}", first)


def _print(name: str, first: Sequence[tuple[float, float, bool]]) -> None:
    answerable = [each for each in first if each[2]]
    right = sum(label for _, label, _ in answerable) / max(1, len(answerable))
    chances, labels = np.array([each[0] for each in first]), np.array([each[1] for each in first])
    error = logistic.calibration_error(chances, labels)
    print(f"{name}: best is right {right:.3f} of {len(answerable)} with an answer, calibration error {error:.3f}")
    for least in (0.2, 0.26, 0.32, 0.4, 0.5):
        told = chances >= least
        false = sum(chance >= least for chance, _, has in first if not has) / max(1, len(first) - len(answerable))
        hits = float((told & (labels > 0)).sum()) / max(1, len(answerable))
        misses = sum(c >= least and not label for c, label, has in first if has) / max(1, len(answerable))
        print(f"   at {least:.2f}: right {hits:.3f}, wrong {misses:.3f}; answers without one {false:.3f}")


def _features(trials: Sequence[PickTrial], *, is_tokens: bool) -> Numbers:
    return np.vstack([each.tokens if is_tokens and each.tokens is not None else each.words for each in trials])


def _chances(trials: Sequence[PickTrial], weights: Numbers, *, is_tokens: bool) -> Numbers:
    odds = weights[0] + _features(trials, is_tokens=is_tokens) @ weights[1:]
    kept = 1 - (1 - pick.VETOED) * np.concatenate([each.vetoed for each in trials])
    return np.asarray(kept / (1 + np.exp(-odds)), np.float64)


async def learn(searches: Sequence[LabelledSearch], encoder: EmbeddingName, models: Path | None) -> Learnt:
    """Learn with and without an encoder, print how good both are, and return all weights."""
    reader = Embedders(EmbeddingSettings(name=encoder), models).reader
    tried = [await try_out(each, reader) for each in searches]
    trials = [each for each in tried if each is not None]
    found: Learnt = {
        name: (pick.features_of(name), np.array([w.bias, *w.weights])) for name, w in pick.weights().items()
    }
    if encoder is EmbeddingName.MINILM:
        found["words"] = (pick.WORD_FEATURES, fit(trials, is_tokens=False))
        report("words", trials, is_tokens=False)
    if reader is not None:
        found[reader.name] = (pick.TOKEN_FEATURES, fit(trials, is_tokens=True))
        report(reader.name, trials, is_tokens=True)
    return found


def main() -> None:
    """Learn as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench.learn_pick", description=__doc__)
    parser.add_argument("--questions", type=int, default=300, help="questions of XQuAD in each language")
    parser.add_argument("--encoder", type=EmbeddingName, default=EmbeddingName.MINILM, help="minilm or multilingual")
    parser.add_argument("--models", type=Path, help="directory `models` of a data directory, for `multilingual`")
    parser.add_argument("--searches", type=Path, help="file to keep the product's searches in")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    given = parser.parse_args()
    searches = ask_product(given.searches, given.encoder, given.models)
    for language, other in zip(_LANGUAGES, reversed(_LANGUAGES), strict=True):
        searches += of_xquad(language, given.questions)
        if given.encoder is EmbeddingName.MULTILINGUAL:
            searches += of_xquad(language, given.questions, asked_in=other)
    searches += of_claims(given.questions)
    # A library may be small: what is learnt must hold where there is hardly anything to choose from.
    searches += [replace(each, passages=each.passages[:_FEW]) for each in searches]
    learnt = asyncio.run(learn(searches, given.encoder, given.models))
    if given.write:
        _FILE.write_text(logistic.to_toml(_SOURCE, learnt), encoding="utf-8")


if __name__ == "__main__":
    main()
