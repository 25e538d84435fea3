"""Fake reasoner for tests: decides by plain rules, with configurable cost and failures."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from decimal import Decimal

from intelli.reasoning.errors import ModelUnavailable
from intelli.reasoning.usage import Usage
from intelli.reasoning.values import QuotedFinding, SourceQuote
from intelli.reasoning.verbs.answer import Answer, AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.change import ChangeInput, Changes
from intelli.reasoning.verbs.chapter import ChapterBlock, ChapterBlockKind, ChapterInput, CitedSentence, WrittenChapter
from intelli.reasoning.verbs.conclude import Closing, ClosingInput
from intelli.reasoning.verbs.judge import JudgeInput, Judgement, Judgements, Verdict
from intelli.reasoning.verbs.note import NoteInput, Notes
from intelli.reasoning.verbs.outline import Outline, OutlineInput, PlannedChapter
from intelli.reasoning.verbs.revise import ReviseInput, Revision
from intelli.reasoning.verbs.tabulate import DataTables, TabulateInput
from intelli.reasoning.verbs.title import Title, TitleInput
from intelli.reasoning.verbs.understand import (
    Intent,
    IntentKind,
    PlannedTask,
    ResearchPlan,
    Understanding,
    UnderstandInput,
)
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput
from intelli.reasoning.verbs.write import WriteInput, WrittenSection, WrittenSentence
from intelli.reasoning.without_model import commands, intents, tables

_WORDS = re.compile(r"\w+")
FREE = Decimal(0)


class PlainReasoner:
    """Fake reasoner: one task for each half of "… and …"; findings are sentences that share a word with the task."""

    def __init__(
        self,
        *,
        name: str = "plain",
        cents: Decimal = FREE,
        ceiling: Decimal | None = None,
        on_call: Callable[[str], None] = lambda verb: None,
        fails: frozenset[str] = frozenset(),
    ) -> None:
        self.name = name
        self.prompts: Mapping[str, str] = {"plan": "1", "write": "1", "judge": "1"}
        self.calls: list[str] = []
        self._cents = cents
        self._ceiling = cents if ceiling is None else ceiling
        self._on_call = on_call
        self._fails = fails

    def ceiling(self, asked: ReasonerInput) -> Decimal:
        return self._ceiling

    def estimate_s(self, asked: ReasonerInput) -> float | None:
        return None

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """By the method of the verb's name, which tests override."""
        done: tuple[Output, Usage] = await getattr(self, given.verb)(given)
        return done

    async def understand(self, asked: UnderstandInput) -> tuple[Understanding, Usage]:
        """By `intent` and `plan`, which tests override."""
        intent, usage = await self.intent(asked)
        if intent.clarification or intent.is_only_change:
            return Understanding(intent=intent, title=asked.question[:40]), usage
        plan, more = await self.plan(asked)
        return Understanding(intent=intent, plan=plan, title=asked.question[:40]), usage + more

    async def intent(self, asked: UnderstandInput) -> tuple[Intent, Usage]:
        is_unclear = "?" not in asked.question and not asked.conversation and asked.question.startswith("unclear")
        question = "Which year do you mean?" if is_unclear and asked.may_ask else None
        changing = intents.intent(asked).changing
        intent = Intent(kind=IntentKind.QUESTION, clarification=question, changing=changing)
        return intent, self._took("understand")

    async def plan(self, asked: UnderstandInput) -> tuple[ResearchPlan, Usage]:
        parts = [part.strip(" ?") for part in commands.rest(asked.question).split(" and ")][: asked.max_tasks]
        tasks = tuple(PlannedTask(title=part, message=part, queries=(part,)) for part in parts)
        return ResearchPlan(title=asked.question, summary="", tasks=tasks), Usage(model=self.name)

    async def note(self, asked: NoteInput) -> tuple[Notes, Usage]:
        usage = self._took("note")
        findings = [
            QuotedFinding(text=passage.text, identifier=passage.identifier, quote=passage.text, relevance=0.9)
            for passage in asked.passages
        ]
        return Notes(task_title=asked.task.title, findings=tuple(findings)), usage

    async def brief(self, asked: BriefInput) -> tuple[Brief, Usage]:
        findings = tuple(finding for notes in asked.notes for finding in notes.findings)
        return Brief(title=asked.question, question=asked.question, findings=findings), self._took("brief")

    async def tabulate(self, asked: TabulateInput) -> tuple[DataTables, Usage]:
        return tables.tabulate(asked), self._took("tabulate")

    async def write(self, asked: WriteInput) -> tuple[WrittenSection, Usage]:
        quotes = [SourceQuote(text=each.quote, identifier=each.identifier) for each in asked.findings]
        said = [
            WrittenSentence(text=f"{each.text} ", quotes=(quote,))
            for each, quote in zip(asked.findings, quotes, strict=True)
        ]
        return WrittenSection(heading="What was found", paragraphs=(tuple(said),)), self._took("write")

    async def outline(self, asked: OutlineInput) -> tuple[Outline, Usage]:
        chapters = tuple(PlannedChapter(heading=task, queries=(task,)) for task in asked.tasks)
        return Outline(title=asked.question, chapters=chapters), self._took("outline")

    async def chapter(self, asked: ChapterInput) -> tuple[WrittenChapter, Usage]:
        sentences = tuple(
            CitedSentence(text=each.text, cites=(SourceQuote(text=each.text, identifier=each.identifier),))
            for each in asked.passages
        )
        block = ChapterBlock(kind=ChapterBlockKind.PARAGRAPH, sentences=sentences)
        return WrittenChapter(heading=asked.chapter.heading, blocks=(block,)), self._took("chapter")

    async def conclude(self, asked: ClosingInput) -> tuple[Closing, Usage]:
        return Closing(answer=tuple(each.sentence for each in asked.statements[:2])), self._took("conclude")

    async def answer(self, asked: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        usage = self._took("answer")
        text = " ".join(
            f'{finding.text} <gml-inlinecitation identifier="{finding.identifier}"/>'
            for finding in asked.brief.findings
        )
        text = " ".join([text or "The sources do not say.", *asked.problems])
        for word in re.findall(r"\S+\s*", text):
            yield Delta(text=word)
        answer = Answer(text=text, is_answered=bool(asked.brief.findings), confidence=0.5)
        yield AnswerEnd(answer=answer, usage=usage)

    async def title(self, asked: TitleInput) -> tuple[Title, Usage]:
        return Title(title=asked.question[:40]), self._took("title")

    async def judge(self, asked: JudgeInput) -> tuple[Judgements, Usage]:
        judgements = tuple(
            Judgement(
                text=each.text, cited=each.sources, is_true=each.is_true, sources=each.sources,
                verdict=Verdict.SUPPORTED if each.is_true is not False else Verdict.CONTRADICTED,
            )
            for each in asked.statements
        )  # fmt: skip
        return Judgements(judgements=judgements), self._took("judge")

    async def revise(self, asked: ReviseInput) -> tuple[Revision, Usage]:
        return Revision(sentences=(None,) * len(asked.sentences)), self._took("revise")

    async def change(self, asked: ChangeInput) -> tuple[Changes, Usage]:
        return commands.changes(asked), self._took("change")

    def _took(self, verb: str) -> Usage:
        self.calls.append(verb)
        self._on_call(verb)
        usage = Usage(
            model=self.name, calls=1, input_tokens=100, output_tokens=10, input_cost=self._cents * Decimal("0.75"),
            output_cost=self._cents * Decimal("0.25"),
        )  # fmt: skip
        if verb in self._fails:
            raise ModelUnavailable("The model does not answer.", usage=usage)
        return usage


def words(text: str) -> set[str]:
    """The words of a text, in lower case."""
    return set(_WORDS.findall(text.lower()))
