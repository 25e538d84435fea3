"""Does every sentence of every extractive answer carry a verified citation, and is what is cited evidence?

`python -m bench.citations` answers SciFact's development claims and the questions on six PDFs without a model, proves
each answer as a run does, and scores the sentences and pages of its verified citations beside the data's baselines.
Nothing is tuned here: the weights are those that `bench.learn_pick` learns on other data.
`answers` asks our own questions on the same PDFs, a third of which have no answer there.
"""

import argparse
import asyncio
import hashlib
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench import data, evidence_quality, retrieval_sets
from bench.evidence_quality import Index, read
from bench.figures import Comparison, Size
from intelli.citations.check import CheckedStatement
from intelli.citations.prove import CitationProof, ProofMaterial, ProvenText, StoredText, prove
from intelli.citations.resolve import resolve_citations
from intelli.citations.statements import statements_of
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.language.quotes import QuoteIndex
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import TokenEncoder
from intelli.reasoning.settings import EmbeddingSettings
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.answer import AnswerEnd, AnswerInput
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.note import NoteInput
from intelli.reasoning.verbs.understand import UnderstandInput

QUESTION = "Does every sentence of every extractive answer carry a verified citation, and is what is cited evidence?"
_SETS = ("scifact", "pages", "answers")
# So many passages a run reads for a query.
_AS_IN_A_RUN = 12
Search = Callable[[str], list[SourceText]]
Row = dict[str, Any]


@dataclass
class Tally:
    """Counts of check results over all answers."""

    checks: Counter[Check] = field(default_factory=Counter)
    sentences: int = 0
    bare: list[str] = field(default_factory=list)
    figures: int = 0
    missing: int = 0
    prove_s: float = 0.0

    def add(self, text: str, proven: ProvenText, passages: Sequence[SourceText]) -> None:
        """Count an answer; a sentence that stands in a source and has no verified citation is *bare*.

        What is left are the product's own words: headings, and that the sources do not say something.
        """
        self.checks.update(proof.outcome.check for proof in proven.proofs)
        verified = {proof.ordinal for proof in proven.proofs if proof.outcome.check is Check.VERIFIED}
        indexes = [QuoteIndex(passage.text) for passage in passages]
        for statement in statements_of(text):
            is_from_source = statement.ordinals or any(index.find(statement.text) for index in indexes)
            self.sentences += bool(is_from_source)
            if is_from_source and not verified & set(statement.ordinals):
                self.bare.append(statement.text)
        self.figures += sum(1 for statement, _ in proven.ledger if statement.ordinals)
        self.missing += sum(1 for statement, entry in proven.ledger if statement.ordinals and not entry.is_found)


@dataclass(frozen=True)
class Answered:
    """The answer to one question, proven."""

    text: str
    proofs: tuple[CitationProof, ...]
    confidence: float
    statements: tuple[CheckedStatement, ...] = ()

    @property
    def verified(self) -> list[CitationProof]:
        return [proof for proof in self.proofs if proof.outcome.check is Check.VERIFIED]


async def answer(question: str, search: Search, reasoner: ExtractiveReasoner, tally: Tally) -> Answered:
    """Answer one question through the reasoning steps of a run, without a model."""
    understood, _ = await reasoner.do(UnderstandInput(question=question))
    notes, passages = [], {}
    for task in understood.plan.tasks if understood.plan else ():
        found = {passage.identifier: passage for query in task.queries for passage in search(query)}
        passages |= found
        asked = NoteInput(question=question, task=task, passages=tuple(found.values()))
        notes.append((await reasoner.do(asked))[0])
    given = tuple(passages.values())
    brief, _ = await reasoner.do(BriefInput(question=question, notes=tuple(notes), passages=given))
    written = None
    async for part in reasoner.answer(AnswerInput(question=question, brief=brief, passages=given)):
        written = part
    assert isinstance(written, AnswerEnd)
    text = resolve_citations(written.answer.text, passages).text
    begun = time.process_time()
    proven = prove(text, _material(passages, brief))
    tally.prove_s += time.process_time() - begun
    tally.add(text, proven, given)
    return Answered(text, proven.proofs, written.answer.confidence, proven.statements)


def _material(passages: Mapping[str, SourceText], brief: Brief) -> ProofMaterial:
    found, sources = {}, {}
    for identifier, passage in passages.items():
        sha256 = hashlib.sha256(passage.text.encode()).hexdigest()
        span = Span(sha256, 0, len(passage.text))
        found[identifier] = Passage(span, passage.text, passage.title, path="", mime_type="text/plain", score=1.0)
        sources[sha256] = StoredText(sha256, passage.text, is_whole=True)
    hints: dict[str, list[str]] = defaultdict(list)
    for finding in brief.findings:
        hints[finding.identifier].append(finding.quote)
    return ProofMaterial(found, sources, hints)


async def claims(reader: TokenEncoder | None) -> Tally:
    """SciFact: the sentences of verified citations against those that experts marked."""
    index, starts = evidence_quality.abstracts()
    rows = read(data.folder() / "scifact" / "claims.dev.jsonl")
    reasoner, tally, predictions = ExtractiveReasoner(reader), Tally(), []
    for row in rows:
        answered = await answer(row["claim"], index.search, reasoner, tally)
        cited: dict[str, set[int]] = defaultdict(set)
        for proof in answered.verified:
            cited[proof.identifier] |= evidence_quality.overlapped(
                starts[proof.identifier], range(proof.span.start, proof.span.end)
            )
        evidence = {document: {"sentences": sorted(numbers)} for document, numbers in cited.items()}
        predictions.append({"id": row["id"], "evidence": evidence})
    rates = evidence_quality.rates(rows, predictions)
    precision, recall = _selection(rows, predictions)
    _show(f"scifact, {len(rows)} claims", tally)
    print(f"  sentences cited: P {precision:.3f} R {recall:.3f}; any hit {rates.any_hit:.3f}; ", end="")
    print(f"false evidence {rates.false_evidence:.3f}  (best three sentences: P .16 R .38, any hit .62, false 1.00)")
    return tally


async def pages(reader: TokenEncoder | None) -> Tally:
    """Six PDFs: the pages of verified citations against the page that answers."""
    found, index = _pdfs()
    place = {passage.identifier: f"{passage.title}#{passage.page}" for passage in index.passages}
    reasoner, tally = ExtractiveReasoner(reader), Tally()
    hits = first = answered_count = cited_pages = right_pages = 0
    for question_id, question in found.queries.items():
        answered = await answer(question, index.search, reasoner, tally)
        gold = set(found.relevant[question_id])
        cited = list(dict.fromkeys(place[proof.identifier] for proof in answered.verified))
        answered_count += bool(cited)
        hits += bool(gold & set(cited))
        first += bool(cited and cited[0] in gold)
        cited_pages += len(cited)
        right_pages += len(gold & set(cited))
    count = len(found.queries)
    _show(f"files/pages, {count} questions", tally)
    print(
        f"  answered {answered_count / count:.2f}; gold page cited {hits / count:.2f}, first {first / count:.2f}; ",
        end="",
    )
    print(f"precision of pages {right_pages / max(cited_pages, 1):.2f}  (BM25 over pages: hit@10 .68)")
    return tally


async def answers(reader: TokenEncoder | None) -> Tally:
    """Measure our own questions on the six PDFs: is the answer given, and first? Is none given where there is none?"""
    _, index = _pdfs()
    lines = Path(__file__).with_name("answers.tsv").read_text(encoding="utf-8").splitlines()[1:]
    reasoner, tally = ExtractiveReasoner(reader), Tally()
    known, unknown = [], []
    for question, wanted in (line.split("\t") for line in lines):
        answered = await answer(question, partial(index.search, most=_AS_IN_A_RUN), reasoner, tally)
        if not wanted:
            unknown.append((bool(answered.proofs), answered.confidence))
            continue
        first = answered.proofs[0].statement if answered.proofs else ""
        hits = [re.search(wanted, text) is not None for text in (answered.text, first)]
        known.append((*hits, answered.confidence, len(answered.proofs)))
    _show(f"own questions, {len(lines)}", tally)
    hit, led, sure, cited = (sum(each) / len(known) for each in zip(*known, strict=True))
    false, unsure = (sum(each) / len(unknown) for each in zip(*unknown, strict=True))
    print(f"  answered right {hit:.2f}, first {led:.2f}, citations each {cited:.1f}, confidence {sure:.2f}; ", end="")
    print(f"without an answer: false {false:.2f}, confidence {unsure:.2f}")
    return tally


def _pdfs() -> tuple[retrieval_sets.Set, Index]:
    (found,) = retrieval_sets.load(("pages",))
    chunks = [chunk for document in found.documents for chunk in document.passages]
    return found, Index([_passage(number, chunk) for number, chunk in enumerate(chunks)], "en")


def _passage(number: int, chunk: retrieval_sets.Passage) -> SourceText:
    return SourceText(identifier=str(number), title=chunk.item, text=chunk.body, page=chunk.page, section=chunk.section)


def _selection(rows: Sequence[Row], predictions: Sequence[Row]) -> tuple[float, float]:
    """Precision and recall of cited sentences as the data's scorer defines them: whole evidence sets count."""
    right = cited = gold = 0
    for row, prediction in zip(rows, predictions, strict=True):
        for document, groups in row["evidence"].items():
            said = set(prediction["evidence"].get(document, {}).get("sentences", []))
            sets = [set(group["sentences"]) for group in groups]
            gold += len(set().union(*sets))
            right += len({sentence for each in sets if each <= said for sentence in each})
        cited += sum(len(each["sentences"]) for each in prediction["evidence"].values())
    return right / max(cited, 1), right / max(gold, 1)


def _show(name: str, tally: Tally) -> None:
    total = sum(tally.checks.values())
    print(
        f"\n{name}: {total} citations, {tally.checks[Check.VERIFIED]} verified, {tally.checks[Check.WEAK]} weak, ",
        end="",
    )
    print(f"{tally.checks[Check.FAILED]} failed; {tally.figures} figures, {tally.missing} missing; ", end="")
    print(f"{tally.prove_s / max(total, 1) * 1000:.2f} ms each")
    print(f"  {tally.sentences} sentences from sources, {len(tally.bare)} without a verified citation")
    for statement in tally.bare[:5]:
        print(f"  not verified: {statement[:160]}")


async def measure(size: Size = Size.USUAL, names: Sequence[str] = _SETS) -> list[Comparison]:
    """Each set, by words alone and with the encoder."""
    compared = []
    for name, reader in (("words alone", None), ("with the encoder", Embedders(EmbeddingSettings()).reader)):
        print(f"\n== {name}")
        asked = {"scifact": claims, "pages": pages, "answers": answers}
        tallies = {each: await asked[each](reader) for each in asked if each in names}
        bare = {each: float(len(tally.bare)) for each, tally in tallies.items()}
        compared.append(Comparison(f"{name}: sentences without a verified citation", "", bare))
    return compared


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=_SETS)
    asyncio.run(measure(names=parser.parse_args().names))
