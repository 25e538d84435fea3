"""A small piece of research, as a run without a model would come to it: passages, findings, brief and answer."""

import hashlib
from collections.abc import Mapping
from datetime import date
from uuid import UUID, uuid5

from intelli.citations.prove import ProofMaterial, ProvenText, StoredText, examine, proven
from intelli.content import passage as content
from intelli.content.span import Span
from intelli.deliverables import prose
from intelli.deliverables.compile_brief import BriefMaterial, CompiledBrief
from intelli.deliverables.paper import Paper
from intelli.reasoning.values import QuotedFinding, SourceText
from intelli.reasoning.verbs.answer import Answer, AnswerInput
from intelli.reasoning.verbs.brief import BriefInput
from intelli.reasoning.verbs.note import Notes
from intelli.reasoning.verbs.tabulate import TabulateInput
from intelli.reasoning.without_model import answers, tables
from intelli.reasoning.without_model.briefs import brief_of

_SHELF = UUID("00000000-0000-4000-8000-000000000000")
TABLE = """Five-year overview (in million euros)
\t2021\t2022\t2023\t2024\t2025
Revenue\t301.4\t327.9\t350.2\t389.1\t412.7
Operating profit\t36.0\t39.2\t44.8\t52.6\t58.3

The largest risk is the price of copper, which rose by 18% in 2025."""
TEXTS = {
    "results.txt": "Revenue came to 412.7 million euros in 2025.",
    "margin.txt": "The operating margin rose to 14.1% in 2025, up from 13.5%.",
    "staff.txt": "The company employed 1,204 people at the end of 2025.",
    "press.txt": "Revenue came to 409 million euros in 2025.",
    "overview.pdf": TABLE,
    "history.txt": "The company was founded in 1952. A factory opened in Brno in 1991. It went public in 2004.",
}
QUESTION = "How did revenue develop and what are the risks?"


def references(texts: Mapping[str, str] = TEXTS) -> dict[str, content.Passage]:
    """A passage for each text, which is all of it."""
    found = {}
    for name, text in texts.items():
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        span = Span(sha256, 0, len(text))
        found[name] = content.Passage(
            span, text, name, f"/{name}", "text/plain", score=0.5, document_id=uuid5(_SHELF, name)
        )
    return found


def sources(texts: Mapping[str, str] = TEXTS) -> dict[str, StoredText]:
    """The stored texts by the hash of their bytes."""
    hashed = {hashlib.sha256(text.encode()).hexdigest(): text for text in texts.values()}
    return {sha256: StoredText(sha256, text, is_whole=True) for sha256, text in hashed.items()}


def proven_paper(paper: Paper, known: ProofMaterial) -> ProvenText:
    """A paper as a run checks it without a model."""
    citing = prose.citing_of(paper)
    return proven(citing, examine(citing, known), known)


def known_of(compiled: CompiledBrief, texts: Mapping[str, str] = TEXTS) -> ProofMaterial:
    """All that a compiled brief may cite."""
    return ProofMaterial(compiled.references, sources(texts), compiled.hints)


def finding(name: str, text: str, about: str, relevance: float = 0.8) -> QuotedFinding:
    """A sentence of one of the texts."""
    return QuotedFinding(
        text=text, identifier=references()[name].identifier, quote=text, relevance=relevance, about=about
    )


FINDINGS = (
    finding("results.txt", TEXTS["results.txt"], "Revenue", 0.9),
    finding("margin.txt", TEXTS["margin.txt"], "Revenue", 0.8),
    finding("press.txt", TEXTS["press.txt"], "Revenue", 0.7),
    finding("staff.txt", TEXTS["staff.txt"], "Revenue", 0.6),
    finding("overview.pdf", TABLE.rpartition("\n")[2], "The risks", 0.9),
    finding("history.txt", "The company was founded in 1952.", "The risks", 0.3),
    finding("history.txt", "A factory opened in Brno in 1991.", "The risks", 0.3),
    finding("history.txt", "It went public in 2004.", "The risks", 0.3),
)


def material(findings: tuple[QuotedFinding, ...] = FINDINGS) -> BriefMaterial:
    """What the extractive reasoner makes of findings."""
    tasks = dict.fromkeys(each.about for each in findings)
    notes = tuple(Notes(task_title=task, findings=tuple(f for f in findings if f.about == task)) for task in tasks)
    brief = brief_of(BriefInput(question=QUESTION, notes=notes))
    known = {each.identifier: each for each in references().values()}
    passages = tuple(
        SourceText(identifier=each.identifier, title=each.title, text=each.text) for each in known.values()
    )
    text = "\n\n".join(answers.pieces_of(AnswerInput(question=QUESTION, brief=brief)))
    return BriefMaterial(
        brief=brief.model_copy(update={"open_questions": ("What will revenue be in 2026?",)}),
        answer=Answer(text=text, is_answered=True),
        data=tables.tabulate(TabulateInput(question=QUESTION, findings=brief.findings, passages=passages)),
        passages=known,
        made_on=date(2026, 11, 16),
    )
