"""The reasoner with a model: it proposes; what it says is checked against the sources before it is believed."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from decimal import Decimal
from typing import TypeVar

from intelli.reasoning import changing, prompting, remembering, tabulated, thoughts, writing, written
from intelli.reasoning.adapters.chat import Chat, Said
from intelli.reasoning.asked import Asked
from intelli.reasoning.citing import CitationStream, find_quote
from intelli.reasoning.drafts import (
    BriefDraft,
    ChangesDraft,
    FindingDraft,
    Form,
    NotesDraft,
    SectionDraft,
    TabulatedDraft,
    Unfit,
)
from intelli.reasoning.extractive import disagreeing, wording
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.prompting import Asking
from intelli.reasoning.proposed import proposed
from intelli.reasoning.thoughts import Brief, Disagreement, Finding, Passage, Usage

Result = TypeVar("Result")
_CHARACTERS_PER_TOKEN = 3
_MOST_QUERIES = 3
_CUT_OFF = "The model broke off before the end of its answer."


class ModelReasoner:
    """Any model behind an OpenAI-compatible endpoint."""

    def __init__(self, settings: ModelSettings) -> None:
        self._chat = Chat(settings)
        self._characters = (settings.context_tokens - settings.output_tokens) * _CHARACTERS_PER_TOKEN
        self.name = f"model:{settings.name}"

    @property
    def prompts(self) -> Mapping[str, str]:
        """The version of every prompt."""
        return prompting.versions()

    def ceiling(self, asked: Asked) -> Decimal:
        """By the size of the prompt and the limit of the output."""
        may_repair = not isinstance(asked, thoughts.AnswerAsked)
        return self._chat.ceiling(self._asking(asked).prompt, may_repair=may_repair)

    async def intent(self, asked: thoughts.IntentAsked) -> tuple[thoughts.Intent, Usage]:
        """Asked of the model."""
        return await self._ask(asked, thoughts.Intent, lambda intent, _: intent)

    async def plan(self, asked: thoughts.PlanAsked) -> tuple[thoughts.Plan, Usage]:
        """Asked of the model, which sees no source here: what is searched for is decided by the question alone."""
        return await self._ask(asked, thoughts.Plan, lambda plan, _: _plan(plan, asked))

    async def note(self, asked: thoughts.NoteAsked) -> tuple[thoughts.Notes, Usage]:
        """Findings whose quote stands in their source; others are dropped."""
        return await self._ask(asked, NotesDraft, lambda draft, asking: _notes(draft, asked, asking.sources))

    async def brief(self, asked: thoughts.BriefAsked) -> tuple[Brief, Usage]:
        """Findings ordered by the model, with figures that stand in them."""
        return await self._ask(asked, BriefDraft, lambda draft, asking: _brief(draft, asked, asking.sources))

    async def tabulate(self, asked: thoughts.TabulateAsked) -> tuple[thoughts.Tabulated, Usage]:
        """Figures that stand in their quotes, quotes that stand in their sources, and data that was asked for."""
        return await self._ask(
            asked, TabulatedDraft, lambda draft, asking: tabulated.proven(draft, asked, asking.sources)
        )

    async def answer(self, asked: thoughts.AnswerAsked) -> AsyncIterator[thoughts.Delta | thoughts.Answered]:
        """The model's text, its handles turned into citations; a contradiction that it passes over is told after it."""
        asking = self._asking(asked)
        citing = CitationStream(asking.sources)
        text = ""
        async for piece in self._chat.stream(asking.prompt):
            shown = citing.end() if isinstance(piece, Said) else citing.feed(piece)
            shown += wording.untold(asked, text + shown) if isinstance(piece, Said) and piece.is_whole else ""
            text += shown
            if shown:
                yield thoughts.Delta(text=shown)
            if isinstance(piece, Said):
                yield thoughts.Answered(answer=_answer(text, piece, citing, asked.brief), usage=piece.usage)

    async def write(self, asked: writing.WriteAsked) -> tuple[writing.Section, Usage]:
        """Sentences whose figures stand in the quotes they rest on; others are dropped, or told as they were found."""
        return await self._ask(asked, SectionDraft, lambda draft, asking: written.proven(draft, asked, asking.sources))

    async def title(self, asked: thoughts.TitleAsked) -> tuple[thoughts.Title, Usage]:
        """Asked of the model."""
        return await self._ask(asked, thoughts.Title, lambda title, _: _title(title))

    async def judge(self, asked: thoughts.JudgeAsked) -> tuple[thoughts.Judgement, Usage]:
        """Asked of the model."""
        return await self._ask(asked, thoughts.Judgement, lambda judgement, _: judgement)

    async def change(self, asked: changing.ChangeAsked) -> tuple[changing.Changes, Usage]:
        """Asked of the model; what reaches for a document that the person did not name is dropped."""
        return await self._ask(asked, ChangesDraft, lambda draft, _: proposed(draft, asked))

    async def extract(self, asked: remembering.ExtractAsked) -> tuple[remembering.Extracted, Usage]:
        """Facts whose quote stands in the passage; others are dropped."""
        return await self._ask(asked, remembering.Extracted, lambda extracted, _: _extracted(extracted, asked.passage))

    async def resolve(self, asked: remembering.ResolveAsked) -> tuple[remembering.Resolved, Usage]:
        """Names among those that were asked about, and statements by numbers that there are; others are dropped."""
        return await self._ask(asked, remembering.Resolved, lambda resolved, _: _resolved(resolved, asked))

    async def close(self) -> None:
        """Let go of the connections."""
        await self._chat.close()

    def _asking(self, asked: Asked) -> Asking:
        return prompting.asking(asked, characters=self._characters)

    async def _ask(
        self, asked: Asked, form: type[Form], make: Callable[[Form, Asking], Result]
    ) -> tuple[Result, Usage]:
        asking = self._asking(asked)
        return await self._chat.ask(asking.prompt, form, lambda draft: make(draft, asking))


def _plan(plan: thoughts.Plan, asked: thoughts.PlanAsked) -> thoughts.Plan:
    tasks = [
        task.model_copy(update={"queries": queries[:_MOST_QUERIES]})
        for task in plan.tasks
        if (queries := tuple(query for query in task.queries if query.strip()))
    ]
    if not tasks:
        raise Unfit("a plan needs at least one task with at least one query")
    return plan.model_copy(update={"tasks": tuple(tasks[: asked.max_tasks])})


def _notes(draft: NotesDraft, asked: thoughts.NoteAsked, sources: Mapping[str, Passage]) -> thoughts.Notes:
    found = [_finding(each, asked.task.title, sources) for each in draft.findings]
    findings = tuple(each for each in found if each is not None)
    if draft.findings and not findings:
        raise Unfit("no quote stands in the source that it names; copy quotes word for word")
    return thoughts.Notes(
        task_title=asked.task.title,
        findings=findings[: asked.max_findings],
        open_questions=tuple(draft.open_questions),
    )


def _finding(draft: FindingDraft, about: str, sources: Mapping[str, Passage]) -> Finding | None:
    passage = sources.get(draft.source.strip("[] "))
    quote = find_quote(draft.quote, passage.text) if passage else None
    if passage is None or quote is None:
        return None
    return Finding(text=draft.text, identifier=passage.identifier, quote=quote, relevance=draft.relevance, about=about)


def _brief(draft: BriefDraft, asked: thoughts.BriefAsked, sources: Mapping[str, Passage]) -> Brief:
    """Handles into findings; a figure that stands in none of the named findings is dropped."""
    given = [finding for notes in asked.notes for finding in notes.findings]
    by_handle = dict(zip(sources, given, strict=False))
    kept = tuple(by_handle[each] for each in dict.fromkeys(draft.findings) if each in by_handle)
    if given and not kept:
        raise Unfit("it keeps no finding; name findings by their handles")
    disagreements = [
        thoughts.Disagreement(
            about=each.about,
            readings=tuple(
                thoughts.Reading(value=side.value, identifier=by_handle[side.source].identifier)
                for side in each.readings
                if _stands(side.value, by_handle.get(side.source))
            ),
        )
        for each in draft.disagreements
    ]
    return Brief(
        title=draft.title,
        question=asked.question,
        findings=kept,
        metrics=tuple(
            thoughts.Metric(**each.model_dump(exclude={"source"}), identifier=by_handle[each.source].identifier)
            for each in draft.metrics
            if _stands(each.value, by_handle.get(each.source))
        ),
        timeline=tuple(
            thoughts.Moment(when=each.when, what=each.what, identifier=by_handle[each.source].identifier)
            for each in draft.timeline
            if each.source in by_handle
        ),
        quotes=tuple(thoughts.Quote(text=each.quote, identifier=each.identifier) for each in kept),
        disagreements=_with_seen([each for each in disagreements if len(each.readings) > 1], asked, kept),
        open_questions=tuple(draft.open_questions),
        sources=tuple(dict.fromkeys(finding.identifier for finding in kept)),
    )


def _with_seen(
    told: Sequence[Disagreement], asked: thoughts.BriefAsked, findings: Sequence[Finding]
) -> tuple[Disagreement, ...]:
    """What the model calls a contradiction, and what is one by the figures of the quotes alone."""
    quoted = [each.model_copy(update={"text": " ".join(each.quote.split())}) for each in findings]
    known = [{side.identifier for side in each.readings} for each in told]
    seen = disagreeing.disagreements_of(asked.question, quoted, asked.passages)
    new = [each for each in seen if not any({side.identifier for side in each.readings} <= sides for sides in known)]
    return (*told, *new)


def _stands(value: str, finding: Finding | None) -> bool:
    return finding is not None and (find_quote(value, finding.quote) or find_quote(value, finding.text)) is not None


def _answer(text: str, said: Said, citing: CitationStream, brief: Brief) -> thoughts.Answer:
    cited = set(citing.cited)
    relevance = [finding.relevance for finding in brief.findings if finding.identifier in cited]
    return thoughts.Answer(
        text=text,
        is_answered=bool(cited),
        is_complete=said.is_whole,
        reason=None if said.is_whole else _CUT_OFF,
        confidence=max(relevance, default=0),
    )


def _title(title: thoughts.Title) -> thoughts.Title:
    line = " ".join(title.title.split()).strip(" .\"'\u201c\u201d")
    if not line:
        raise Unfit("the title is empty")
    return thoughts.Title(title=line[:120])


def _extracted(extracted: remembering.Extracted, passage: Passage) -> remembering.Extracted:
    facts = [
        fact.model_copy(update={"quote": quote})
        for fact in extracted.facts
        if (quote := find_quote(fact.quote, passage.text)) is not None
    ]
    return extracted.model_copy(update={"facts": tuple(facts)})


def _resolved(resolved: remembering.Resolved, asked: remembering.ResolveAsked) -> remembering.Resolved:
    known = {doubt.name: doubt.known for doubt in asked.doubts}
    return remembering.Resolved(
        same=tuple(each for each in resolved.same if each.known in known.get(each.name, ())),
        contradicted=tuple(dict.fromkeys(n for n in resolved.contradicted if 1 <= n <= len(asked.earlier))),
    )
