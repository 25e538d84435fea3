"""Give the sentences that the check rejected back to the model once, each with the reason."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from intelli.citations.check import CheckedStatement
from intelli.citations.own_words import kind_of
from intelli.citations.parse import segments, tag
from intelli.citations.prove import ProofMaterial, ProvenText
from intelli.citations.resolve import resolve_citations
from intelli.citations.statements import plain
from intelli.citations.wire import StatementKind
from intelli.content.passage import Passage
from intelli.language import words
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.judge import Verdict
from intelli.reasoning.verbs.revise import RejectedSentence, ReviseInput
from intelli.runs.as_source_text import as_source_text
from intelli.runs.context import RunContext, RunFacts
from intelli.runs.steps import REVISED

_REJECTED = {Verdict.NOT_SUPPORTED, Verdict.CONTRADICTED, Verdict.PARTLY}
_TAGS = re.compile(r"(?:\s*<gml-inlinecitation [^>]*/>)+")
_LEAD = re.compile(r"(?P<blanks>\s*+)(?P<mark>(?:[-*+\u2022]|\d{1,3}[.)])\s++)?")
_EMPTY_LINE = re.compile(r"(?m)^[ \t]*+(?:[-*+\u2022]|\d{1,3}[.)])?+[ \t]*+$\n?")
_MOST = 12
_MOST_CHARACTERS = 2_500
# What a citation stood before.
_SPACED = re.compile(r"(?<=\S)[^\S\n]{1,4}([.,;:!?])")
# Another source may say what is rejected so; what is contradicted stays false whoever is cited.
_CITED_WRONGLY = {Verdict.NOT_SUPPORTED, Verdict.PARTLY}


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, or a line of a table, from `start` to `end`, with the reasons why it was rejected.

    `elsewhere` are sources that it does not cite and that say a part of it.
    """

    start: int
    end: int
    reasons: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()


def count_rejected(proven: ProvenText) -> int:
    """Count the statements that the check rejected."""
    return sum(each.verdict in _REJECTED for each in proven.statements)


def cite_elsewhere(proven: ProvenText, material: ProofMaterial) -> str:
    """Return the text whose statements also cite the sources that were named for what theirs leave out."""
    added: dict[int, list[str]] = {}
    identifiers = {proof.ordinal: proof.identifier for proof in proven.proofs}
    for each in proven.statements:
        named = [name for name in each.elsewhere if name in material.passages]
        if named and each.verdict in _CITED_WRONGLY and each.statement.ordinals:
            at, present = _citations_behind(each, proven.text)
            # One that rests on the citations of others would lose them to a citation of its own.
            wanted = (*(identifiers[ordinal] for ordinal in each.statement.ordinals), *named)
            added.setdefault(at, []).extend(name for name in wanted if name not in present)
    text = proven.text
    for at in sorted(added, reverse=True):
        text = text[:at] + "".join(map(tag, dict.fromkeys(added[at]))) + text[at:]
    return text


def _citations_behind(checked: CheckedStatement, text: str) -> tuple[int, frozenset[str]]:
    """Return where the citations of a statement end, or would stand, and what is cited right there."""
    start, end = checked.statement.start, checked.statement.end
    behind = _TAGS.match(text, end)
    end = behind.end() if behind else end
    present = set[str]()
    for part in reversed(segments(text[start:end])):
        if part.identifier:
            present.add(part.identifier)
        elif part.text.strip():
            break
    return end, frozenset(present)


async def revise(context: RunContext, proven: ProvenText, material: ProofMaterial) -> str:
    """Return the text with its rejected sentences written anew; unchanged when none was, or no model could."""
    units = _units(proven)
    if not units:
        return proven.text
    asked = _build_input(context.facts, proven.text, units, material)
    reasoner = context.recorded_reasoner()
    revision = await reasoner.step(REVISED, asked)
    if reasoner.problems:
        return proven.text
    return _replace(proven.text, units, revision.sentences, material)


def _units(proven: ProvenText) -> list[_Unit]:
    found: dict[tuple[int, int], list[CheckedStatement]] = {}
    for each in proven.statements:
        if each.verdict in _REJECTED and each.statement.text:
            found.setdefault(_span(each, proven), []).append(each)
    spans = sorted(found)
    apart = [span for at, span in enumerate(spans) if not at or span[0] >= spans[at - 1][1]]
    return [_unit(span, found[span]) for span in apart][:_MOST]


def _unit(span: tuple[int, int], rejected: Sequence[CheckedStatement]) -> _Unit:
    reasons = tuple(dict.fromkeys(each.reason for each in rejected))
    return _Unit(*span, reasons, tuple(dict.fromkeys(name for each in rejected for name in each.elsewhere)))


def _span(checked: CheckedStatement, proven: ProvenText) -> tuple[int, int]:
    """Where the whole sentence of a statement, or its line of a table, is in the text, its citations included."""
    statement, text = checked.statement, proven.text
    start, end = statement.start, statement.end
    if statement.kind is StatementKind.CELL:
        line_end = text.find("\n", end)
        return text.rfind("\n", 0, start) + 1, line_end if line_end >= 0 else len(text)
    if statement.context:
        same = [each.statement for each in proven.statements if each.statement.context == statement.context]
        start, end = min(each.start for each in same), max(each.end for each in same)
    behind = _TAGS.match(text, end)
    return start, behind.end() if behind else end


def _build_input(facts: RunFacts, text: str, units: Sequence[_Unit], material: ProofMaterial) -> ReviseInput:
    sentences = []
    names: dict[str, None] = {}
    for unit in units:
        parts = segments(text[unit.start : unit.end])
        cited = dict.fromkeys(part.identifier for part in parts if part.identifier)
        said = "".join(part.text for part in parts if part.ordinal is None)
        names |= cited | dict.fromkeys(unit.elsewhere)
        sentences.append(
            RejectedSentence(
                text=said.strip() if "|" in said else plain(said), sources=tuple(cited), reason=" ".join(unit.reasons)
            )
        )
    cited_passages = [passage for name in names if (passage := material.passages.get(name)) is not None]
    asked = ReviseInput(question=facts.question, sentences=tuple(sentences), passages=_as_texts(cited_passages))
    if not facts.revises_in_context:
        return asked
    more = _others_of_documents(cited_passages, " ".join(each.text for each in sentences), material)
    return asked.model_copy(
        update={
            "question": with_today(facts),
            "answer": _SPACED.sub(r"\1", "".join(part.text for part in segments(text) if part.ordinal is None)),
            "passages": _as_texts([*cited_passages, *more]),
        }
    )


def with_today(facts: RunFacts) -> str:
    """Return the question with the date on which it was asked: an answer may say what is past by now."""
    return f"{facts.question}\n(Today is {facts.asked_on}.)"


def _as_texts(passages: Sequence[Passage]) -> tuple[SourceText, ...]:
    return tuple(as_source_text(each) for each in passages)


def _others_of_documents(cited: Sequence[Passage], rejected: str, material: ProofMaterial) -> list[Passage]:
    """Return what else was found of the cited documents, as far as there is room: one more piece of a table may do.

    What shares most words with the rejected sentences comes first.
    """
    documents, known = {each.sha256 for each in cited}, {each.identifier for each in cited}
    language = words.language_of(rejected)
    asked = set(words.terms_of(rejected, language))
    others = [each for name, each in material.passages.items() if name not in known and each.sha256 in documents]
    others.sort(key=lambda each: -len(asked.intersection(words.terms_of(each.text, language))))
    found: list[Passage] = []
    room = _MOST_CHARACTERS
    for passage in others:
        if len(passage.text) <= room:
            found.append(passage)
            room -= len(passage.text)
    return found


def _evades(sentence: str) -> bool:
    """Whether a sentence would pass the check by citing nothing. That the sources are silent may stand so."""
    return bool(sentence) and all(part.ordinal is None for part in segments(sentence)) and kind_of(sentence) is None


def _lead(former: str, sentence: str) -> str:
    """Return what stood before the words of a former sentence: blanks, and the mark of an item that is not repeated."""
    found = _LEAD.match(former)
    assert found is not None, "it matches nothing, too"
    if not sentence:
        return ""
    return found["blanks"] if found["mark"] and sentence.startswith(found["mark"].strip()) else found[0]


def _replace(text: str, units: Sequence[_Unit], sentences: Sequence[str | None], material: ProofMaterial) -> str:
    """Put the new sentences in the place of the old ones; a line that is left empty goes."""
    for unit, sentence in reversed(list(zip(units, sentences, strict=True))):
        if sentence is None or _evades(sentence):
            continue
        lead = _lead(text[unit.start : unit.end], sentence)
        before, after = text[: unit.start], text[unit.end :]
        if not sentence:
            line = before.rfind("\n") + 1
            head = before[:line] + _EMPTY_LINE.sub("", before[line:] + "\n").rstrip("\n")
            before, after = head, after.lstrip(" ") if not before[line:].strip() else after
        text = f"{before}{lead}{sentence}{after}"
    return resolve_citations(text.strip(), material.passages.keys()).text
