"""All statements of a brief with their citations, including those that the paper of a kind has no place for.

A citation that supports no statement does not belong in a brief, and one that a paper does not show is checked as well,
so that a reader of the brief or of its evidence finds no citation that was never checked.
"""

from collections.abc import Iterable, Iterator, Sequence

from intelli.citations.parse import tag
from intelli.citations.prove import CitationProof
from intelli.deliverables import charts
from intelli.deliverables.brief import (
    Cell,
    Chapter,
    ChapterExhibit,
    ChapterText,
    Cited,
    Contradiction,
    DataBrief,
    Finding,
    Metric,
    Moment,
    Quotation,
    Section,
    Series,
    Table,
)
from intelli.language.markdown import plain

Stated = tuple[str, tuple[str, ...]]
Part = Finding | Section | Chapter | Metric | Series | Table | Moment | Quotation | Contradiction


def of(brief: DataBrief) -> Iterator[Stated]:
    """Every statement of a brief, and the identifiers of what it cites."""
    parts: tuple[Sequence[Part], ...] = (brief.summary, brief.sections, brief.findings, brief.metrics, brief.series)
    more: tuple[Sequence[Part], ...] = (brief.chapters, brief.tables, brief.timeline, brief.quotes, brief.disagreements)
    for each in (*parts, *more):
        yield from of_parts(each)


def of_parts(parts: Iterable[Part]) -> Iterator[Stated]:
    """Iterate over the statements of some parts of a brief."""
    for part in parts:
        yield from _statements(part)


def unsaid(brief: DataBrief, cited: Iterable[str]) -> str:
    """The statements of a brief that rest on something not among `cited`, one a line, to be proven."""
    known = set(cited)
    lines: list[str] = []
    for text, citations in of(brief):
        fresh = [each for each in citations if each not in known]
        known.update(fresh)
        if fresh:
            lines.append(f"- {plain(text)} {''.join(map(tag, fresh))}")
    return "\n\n".join(lines)


def with_proofs(brief: DataBrief, proofs: Sequence[CitationProof]) -> DataBrief:
    """The brief with what the check of its unsaid statements came to; what a paper says was proven with the paper."""
    by_identifier: dict[str, CitationProof] = {}
    for proof in proofs:
        by_identifier.setdefault(proof.identifier, proof)
    cited = tuple(_proven(each, by_identifier.get(each.identifier)) for each in brief.citations)
    return brief.model_copy(update={"citations": cited})


def _proven(cited: Cited, proof: CitationProof | None) -> Cited:
    if proof is None or cited.check != "unchecked":
        return cited
    place = {"page": proof.page, "section": proof.section} if proof.source is not None else {}
    outcome = {"check": proof.outcome.check.value, "reason": proof.outcome.reason}
    text_sha256 = proof.source.text_sha256 if proof.source else ""
    return cited.model_copy(update={**place, **outcome, "text_sha256": text_sha256})


def _statements(part: Part) -> Iterator[Stated]:
    match part:
        case Finding():
            yield part.text, part.citations
        case Section():
            yield from ((said.text, said.citations) for paragraph in part.paragraphs for said in paragraph)
        case Chapter():
            for block in part.blocks:
                yield from _of_block(block)
        case Metric():
            said = " ".join(filter(None, (part.entity, part.name, part.period)))
            yield f"{said}: {part.shown}", (part.citation,)
        case Series():
            yield from _points(part)
        case Table():
            yield from map(_row, part.rows)
        case Moment():
            yield part.label if part.date in part.label else f"{part.date} \u2013 {part.label}", (part.citation,)
        case Quotation():
            yield part.text, (part.citation,)
        case Contradiction():
            yield from ((f"{part.about}: {side.value}", (side.citation,)) for side in part.readings)


def _of_block(block: ChapterText | ChapterExhibit) -> Iterator[Stated]:
    if isinstance(block, ChapterText):
        yield from ((said.text, said.citations) for said in block.sentences)
        return
    yield from of_parts(filter(None, (block.table, block.series, *block.moments)))


def _points(series: Series) -> Iterator[Stated]:
    for point in series.points:
        yield f"{series.title} {point.label}: {charts.format_plain(point.value)}", (point.citation,)


def _row(cells: Sequence[Cell]) -> Stated:
    return " ".join(cell.text for cell in cells), tuple(mark for cell in cells for mark in cell.citations)
