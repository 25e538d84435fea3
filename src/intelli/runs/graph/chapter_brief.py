"""Written chapters as a brief: that of a deliverable, and the findings that an answer beside it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import compile_chapters, compose
from intelli.deliverables.compile_brief import CompiledBrief
from intelli.deliverables.compile_chapters import ChapterMaterial
from intelli.language.quotes import skeleton
from intelli.reasoning.usage import Usage
from intelli.reasoning.values import QuotedFinding, ReasoningModel
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.chapter import WrittenChapter
from intelli.reasoning.verbs.conclude import Closing
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.runs.context import RunContext
from intelli.runs.graph.sources import collect_passages, load_outline, load_searches
from intelli.runs.graph.state import State
from intelli.runs.judges import judge_of
from intelli.runs.ledger import Ledger, RecordedStep
from intelli.runs.steps import BRIEF, CLOSING, REJECTED, chapter_key

_RELEVANCE = 0.9
_RULES = "rules"
# The kind whose paper has all that is said.
_WHOLE = "REPORT"


class ChaptersToCheck(ReasonerInput):
    """The chapters whose sentences are checked."""

    verb: Literal["check_chapters"] = "check_chapters"
    headings: tuple[str, ...]


class RejectedSentences(ReasoningModel):
    """Sentences that the check of the chapters rejected, bare of all but letters and digits."""

    sentences: tuple[str, ...] = ()


class ChapterBriefInput(ReasonerInput):
    """The outline whose chapters a brief is made of."""

    verb: Literal["chapter_brief"] = "chapter_brief"
    title: str


async def load_written(context: RunContext) -> list[WrittenChapter]:
    """Load the chapters of a run whose outline was written."""
    outline = await load_outline(context.ledger)
    found = [await context.ledger.find(chapter_key(number)) for number in range(len(outline.plain))]
    return [WrittenChapter.model_validate(each.answer) for each in found if each is not None]


async def load_closing(ledger: Ledger) -> Closing:
    """Load what was written last."""
    recorded = await ledger.find(CLOSING)
    assert recorded is not None, "the closing is written before it is used"
    return Closing.model_validate(recorded.answer)


async def load_rejected(ledger: Ledger) -> frozenset[str]:
    """Load the sentences that the check of the chapters rejected, bare of all but letters and digits."""
    recorded = await ledger.find(REJECTED)
    return (
        frozenset(RejectedSentences.model_validate(recorded.answer).sentences) if recorded is not None else frozenset()
    )


async def compile_written(context: RunContext, state: State, written: Sequence[WrittenChapter]) -> CompiledBrief:
    """Compile chapters that are not yet all of them."""
    return await _compile(context, state, _Written(written))


async def compile_whole(context: RunContext, state: State) -> CompiledBrief:
    """Compile the chapters and the closing, without the sentences that their check rejected."""
    written, closing = await load_written(context), await load_closing(context.ledger)
    return await _compile(context, state, _Written(written, closing, await load_rejected(context.ledger)))


async def load_shown(context: RunContext, state: State, kind: DeliverableKind) -> tuple[str, ...]:
    """Return the pieces of a kind's paper that were shown while its chapters were written: all but the last one."""
    written = (await load_written(context))[:-1]
    compiled = await compile_written(context, state, written)
    return await context.compute.run(compose.compose_chapters, kind.name, compiled.brief) if written else ()


async def reject(context: RunContext, state: State) -> None:
    """Check all that was written, and record the sentences that do not pass; they are left out."""
    written, closing = await load_written(context), await load_closing(context.ledger)
    asked = ChaptersToCheck(headings=tuple(each.heading for each in written))
    if await context.ledger.begin(REJECTED, asked, ceiling=Decimal(0), model=_RULES) is not None:
        return
    compiled = await _compile(context, state, _Written(written, closing))
    composed = await context.compute.run(compose.compose, _WHOLE, compiled.brief)
    failed = await context.delivery.list_rejected(composed.paper, compiled, judge_of(context))
    said = [skeleton(each.text) for chapter in compiled.brief.chapters for each in chapter.sentences]
    bare = [skeleton(each) for each in failed]
    sentences = dict.fromkeys(each for each in said if any(part and part in each for part in bare))
    recorded = RecordedStep(RejectedSentences(sentences=tuple(sentences)).model_dump(mode="json"))
    await context.ledger.record(REJECTED, recorded, Usage(model=_RULES))


async def record_brief(context: RunContext) -> None:
    """Record the statements of the chapters as the brief of the run."""
    outline, written = await load_outline(context.ledger), await load_written(context)
    asked = ChapterBriefInput(title=outline.title)
    if await context.ledger.begin(BRIEF, asked, ceiling=Decimal(0), model=_RULES) is not None:
        return
    rejected = await load_rejected(context.ledger)
    findings = tuple(
        QuotedFinding(
            text=each.text,
            identifier=each.cites[0].identifier,
            quote=each.cites[0].text,
            relevance=_RELEVANCE,
            about=chapter.heading,
            further=each.cites[1:],
        )
        for chapter in written
        for each in chapter.sentences
        if each.cites and skeleton(each.text) not in rejected
    )
    brief = Brief(
        title=outline.title,
        question=context.facts.question,
        findings=findings,
        # What could be asked next: a sentence that says what is missing is no question.
        open_questions=tuple(
            dict.fromkeys(each for chapter in written for each in chapter.missing if not each.endswith("."))
        ),
        sources=tuple(dict.fromkeys(name for each in findings for name in each.identifiers)),
    )
    await context.ledger.record(BRIEF, RecordedStep(brief.model_dump(mode="json")), Usage(model=_RULES))


@dataclass(frozen=True, slots=True)
class _Written:
    """What was written so far, and what its check rejected."""

    chapters: Sequence[WrittenChapter]
    closing: Closing | None = None
    rejected: frozenset[str] = frozenset()


async def _compile(context: RunContext, state: State, written: _Written) -> CompiledBrief:
    material = ChapterMaterial(
        question=context.facts.question,
        outline=await load_outline(context.ledger),
        written=written.chapters,
        closing=written.closing,
        passages=collect_passages(await load_searches(context, state)),
        made_on=context.facts.asked_on,
        rejected=written.rejected,
    )
    return await context.compute.run(compile_chapters.compile_chapters, material)
