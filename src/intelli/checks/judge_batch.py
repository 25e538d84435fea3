"""Judge a batch of statements against their passages by the engine of citations, and convert the verdicts to rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from uuid import UUID, uuid5

from intelli.checks.model_judge import BatchJudge
from intelli.checks.select import OpenStatement
from intelli.checks.wire import Stance
from intelli.citations.check import CheckedStatement
from intelli.citations.check_text import check_text
from intelli.citations.entailment_judge import make_entailment_judge
from intelli.citations.figures import FigureEntry
from intelli.citations.prove import CitationProof, CitingText, ProofMaterial
from intelli.citations.wire import Check, JudgedBy, StatementKind
from intelli.content.passage import Passage
from intelli.kit.compute import Compute
from intelli.language import words
from intelli.reasoning.entailment import EntailmentModels
from intelli.reasoning.reasoners import ReasonerPair
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.judge import Verdict

NOTHING_FOUND = "Nothing in the library says this."
_MOST_OF_A_STANCE = 3
# A passage that was found by search and has fewer of a statement's words than this is about something else.
_LEAST_SHARE = 0.34
# One that has more, and does not say it, says something else about the same.
_SAME_MATTER = 0.75
# These rest on nothing: that sources are silent is held against all that was found, the writer's own reckoning is not.
_UNBOUND = {StatementKind.ABSENCE, StatementKind.OWN}
Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class StatementBatch:
    """Statements of a check, the passages of each by its number, and the texts that these stand in."""

    check_id: UUID
    statements: Sequence[OpenStatement]
    passages: Mapping[int, Sequence[Passage]]
    material: ProofMaterial


@dataclass(frozen=True, slots=True)
class JudgedBatch:
    """Rows of the statements of a batch, what judging them cost, and the problems of the judge."""

    rows: list[Row]
    usage: Usage
    problems: tuple[str, ...] = ()


async def judge(
    batch: StatementBatch, reasoners: ReasonerPair, compute: Compute, *, entailment: EntailmentModels | None = None
) -> JudgedBatch:
    """Judge a batch of statements: by rules, and by the model where there is one and rules cannot decide."""
    model = BatchJudge(reasoners.reasoner) if reasoners.has_model else None
    by = model or make_entailment_judge(entailment)
    checked = await check_text(_bind(batch), batch.material, judge=by, compute=compute)
    rows = []
    for each, made in zip(batch.statements, checked.proven.statements, strict=True):
        is_cited = _is_cited(each, batch)
        settled = made if is_cited else settle(made, [passage.text for passage in batch.passages[each.number]])
        verdict = _Verdict(batch.check_id, each, settled, checked.proven.proofs)
        rows.append(verdict.row(is_cited=is_cited))
    if model is None:
        return JudgedBatch(rows, Usage(model=""), checked.problems)
    return JudgedBatch(rows, model.usage, (*checked.problems, *model.problems))


def settle(made: CheckedStatement, found: Sequence[str]) -> CheckedStatement:
    """Return the verdict on a statement that cites nothing, by the passages that a search found.

    Where none of them is about it, nothing says it. One that is may say it in other words, or in another language.
    """
    if made.statement.kind in _UNBOUND or made.judged_by is JudgedBy.MODEL:
        return made
    is_undecided = made.verdict in {Verdict.UNCHECKED, Verdict.NOT_SUPPORTED}
    if is_undecided and not any(_is_about(made, text) for text in found):
        by = made.judged_by if made.statement.ordinals else JudgedBy.NOTHING
        nothing = replace(made, verdict=Verdict.NOT_SUPPORTED, reason=NOTHING_FOUND, judged_by=by)
        return replace(nothing, carried_by=(), quotes=())
    return made


def _is_about(made: CheckedStatement, text: str) -> bool:
    """Whether a passage may say a statement: it has some of its words or a figure of it, or is in another language."""
    said = made.statement.text
    language = words.language_of(said)
    if words.language_of(text[:2000]) != language:
        return any(entry.read for entry in made.entries)
    wanted = set(words.terms_of(said, language))
    return len(wanted & set(words.terms_of(text, language))) >= _LEAST_SHARE * len(wanted)


def _is_cited(each: OpenStatement, batch: StatementBatch) -> bool:
    return any(passage.identifier in each.identifiers for passage in batch.passages[each.number])


def _bind(batch: StatementBatch) -> CitingText:
    """Return the statements of a batch as a text whose citations are the passages that were found for each."""
    cited: list[str] = []
    statements = []
    for each in batch.statements:
        is_bound = each.cited.kind not in _UNBOUND or _is_cited(each, batch)
        names = [passage.identifier for passage in batch.passages[each.number]] if is_bound else []
        ordinals = tuple(range(len(cited), len(cited) + len(names)))
        statements.append(replace(each.cited, ordinals=ordinals, is_inherited=False))
        cited += names
    return CitingText("", tuple(statements), tuple(cited))


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A statement of a check with its verdict, and the proofs of its batch."""

    check_id: UUID
    open: OpenStatement
    made: CheckedStatement
    proofs: Sequence[CitationProof]

    def row(self, *, is_cited: bool) -> Row:
        """Return the columns of the statement."""
        made, mine = self.made, self.open
        return {
            "number": mine.number,
            "kind": mine.cited.kind,
            "text": _clean(mine.cited.text),
            "char_start": mine.start,
            "char_end": max(mine.end, mine.start),
            "verdict": made.verdict,
            "check": Check.FAILED if made.verdict is Verdict.NOT_SUPPORTED else made.check,
            "reason": _clean(made.reason),
            "judged_by": made.judged_by,
            "calculations": [self._calculation(entry) for entry in made.entries if entry.calculation],
            "citations": [self._citation(*each) for each in self._stances(is_cited=is_cited)],
        }

    def _stances(self, *, is_cited: bool) -> list[tuple[int, Stance]]:
        """Return the ordinals of the passages to show, each with its stance, those that bear most on it first."""
        best = list(dict.fromkeys(quote.ordinal for quote in self.made.quotes))
        carrying = sorted(self.made.carried_by, key=lambda each: best.index(each) if each in best else len(best))
        match self.made.verdict:
            case Verdict.SUPPORTED | Verdict.PARTLY:
                shown = [(each, Stance.FOR) for each in carrying]
            case Verdict.UNCHECKED:
                # What may say it in other words: the nearest alone.
                shown = [(each, Stance.FOR) for each in best[:1]]
            case Verdict.CONTRADICTED:
                against = carrying if self.made.judged_by is JudgedBy.MODEL else best[:1]
                shown = [(each, Stance.AGAINST) for each in against]
            case Verdict.NOT_SUPPORTED:
                is_other = self.made.share >= _SAME_MATTER
                shown = [(each, Stance.AGAINST) for each in best[:1]] if is_other else []
        shown = [each for each in shown if self.proofs[each[0]].passage is not None][:_MOST_OF_A_STANCE]
        if not is_cited:
            return shown
        rest = [each for each in self.made.statement.ordinals if each not in {ordinal for ordinal, _ in shown}]
        return list(chain(shown, ((each, Stance.CITED) for each in rest)))

    def _citation(self, ordinal: int, stance: Stance) -> Row:
        proof = self.proofs[ordinal]
        start, end = next(
            ((each.start, each.end) for each in self.made.quotes if each.ordinal == ordinal),
            (proof.span.start, proof.span.end),
        )
        whole = proof.source.text if proof.source else ""
        passage = proof.passage
        assert passage is not None, "only passages that were found are bound"
        return {
            "id": str(self._id(ordinal)),
            "stance": stance,
            "document_id": str(passage.document_id) if passage.document_id else None,
            "file_name": passage.title,
            "mime_type": passage.mime_type,
            "page": proof.page,
            "section": proof.section,
            "char_start": start,
            "char_end": end,
            "quote": _clean(whole[start:end] or proof.quote),
            "text_sha256": proof.source.text_sha256 if proof.source else None,
        }

    def _calculation(self, entry: FigureEntry) -> Row:
        operands = [
            {
                "citation_id": str(self._id(read.ordinal)),
                "document_id": self._document_of(read.ordinal),
                "text_sha256": source.text_sha256 if (source := self.proofs[read.ordinal].source) else None,
                "written": _clean(read.written),
                "char_start": read.start,
                "char_end": read.end,
            }
            for read in entry.read
        ]
        return {"figure": _clean(entry.written), "formula": _clean(entry.calculation), "operands": operands}

    def _document_of(self, ordinal: int) -> str | None:
        passage = self.proofs[ordinal].passage
        return str(passage.document_id) if passage and passage.document_id else None

    def _id(self, ordinal: int) -> UUID:
        first = self.made.statement.ordinals[0] if self.made.statement.ordinals else 0
        return uuid5(self.check_id, f"{self.open.number}:{ordinal - first}")


def _clean(text: str) -> str:
    """Return the text without what PostgreSQL cannot store: NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
