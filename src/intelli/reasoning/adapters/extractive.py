"""Reasoner without a model: deterministic, offline, free. Its statements are those of the sources.

Each step is a pure function of its input, run where it can be cancelled; only the encoder is called from here.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from decimal import Decimal
from typing import Any

from intelli.kit.compute import Compute, InProcess
from intelli.kit.errors import IntelliError
from intelli.reasoning import verbs
from intelli.reasoning.extractive import token_match
from intelli.reasoning.ports import TokenEncoder
from intelli.reasoning.usage import EXTRACTIVE, Usage
from intelli.reasoning.verbs.answer import Answer, AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.brief import BriefInput
from intelli.reasoning.verbs.change import ChangeInput
from intelli.reasoning.verbs.chapter import ChapterInput
from intelli.reasoning.verbs.conclude import ClosingInput
from intelli.reasoning.verbs.extract import ExtractInput
from intelli.reasoning.verbs.note import NoteInput, Notes
from intelli.reasoning.verbs.outline import OutlineInput
from intelli.reasoning.verbs.tabulate import TabulateInput
from intelli.reasoning.verbs.title import TitleInput
from intelli.reasoning.verbs.understand import UnderstandInput
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput
from intelli.reasoning.without_model import (
    answers,
    briefs,
    chapters,
    closings,
    commands,
    intents,
    names,
    notes,
    outlines,
    tables,
    understandings,
)
from intelli.reasoning.without_model.notes import MatchedTokens

_FREE = Usage(model=EXTRACTIVE)
# Passages that are read token by token, best first: each takes some 30 ms.
_MOST_READ = 10
# A verb that is not here says itself what it gives without a model.
RULES: Mapping[type[ReasonerInput], Callable[..., Any]] = {
    UnderstandInput: understandings.understand,
    NoteInput: notes.notes_of,
    BriefInput: briefs.brief_of,
    TabulateInput: tables.tabulate,
    TitleInput: intents.title_of,
    ChangeInput: commands.changes,
    ExtractInput: names.extract,
    OutlineInput: outlines.outline_of,
    ChapterInput: chapters.chapter_of,
    ClosingInput: closings.closing_of,
}


class ExtractiveReasoner:
    """Selects sentences of the sources; with an encoder also by what their tokens mean."""

    name = EXTRACTIVE

    def __init__(self, reader: TokenEncoder | None = None, compute: Compute | None = None) -> None:
        self._reader = reader
        self._compute = compute or InProcess()

    @property
    def prompts(self) -> Mapping[str, str]:
        """Empty: no prompts are used."""
        return {}

    def ceiling(self, given: ReasonerInput) -> Decimal:
        """Return 0."""
        return Decimal(0)

    def estimate_s(self, given: ReasonerInput) -> None:
        """Return None: there is no model to wait for."""

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """Execute the rule of the verb, or the verb's own default without a model."""
        rule: Callable[..., Output] | None = RULES.get(type(given)) or verbs.verb_of(given).without_model
        assert rule is not None, "a verb without a rule says what it gives without a model"
        asked = chapters.note_input(given) if isinstance(given, ChapterInput) else given
        matched = [await self._match_tokens(asked)] if isinstance(asked, NoteInput) else []
        return await self._compute.run(rule, given, *matched), _FREE

    async def answer(self, given: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        """Yield the answer paragraph by paragraph."""
        given = await self._with_findings(given)
        said: list[str] = []
        for piece in await self._compute.run(answers.pieces_of, given):
            delta = f"\n\n{piece}" if said else piece
            said.append(delta)
            yield Delta(text=delta)
            await asyncio.sleep(0)  # all of it is there at once: others have their turn in between
        findings = given.brief.findings
        answer = Answer(
            text="".join(said),
            is_answered=bool(findings),
            confidence=max((finding.relevance for finding in findings), default=0),
        )
        yield AnswerEnd(answer=answer, usage=_FREE)

    async def _with_findings(self, given: AnswerInput) -> AnswerInput:
        """Take notes of the passages where the answer was to be written from them directly, by a model."""
        if given.brief.findings or not (given.passages and given.tasks):
            return given
        noted: list[Notes] = []
        for task in given.tasks:
            notes_of_task, _ = await self.do(NoteInput(question=given.question, task=task, passages=given.passages))
            noted.append(notes_of_task)
        brief, _ = await self.do(BriefInput(question=given.question, notes=tuple(noted), passages=given.passages))
        return given.model_copy(update={"brief": brief})

    async def _match_tokens(self, given: NoteInput) -> MatchedTokens | None:
        """Match every statement with each query, token by token; None without a usable encoder."""
        if self._reader is None or given.from_tables is not None:
            return None
        found = await self._compute.run(notes.candidates_of, given)
        try:
            read = await token_match.read_passages(self._reader, given.passages[:_MOST_READ])
            by_query = {
                query: await token_match.match(self._reader, query, found, read) for query in notes.queries_of(given)
            }
        except IntelliError:
            # This reasoner stands in when others fail: the words alone must do.
            return None
        return MatchedTokens(self._reader.name, by_query)
