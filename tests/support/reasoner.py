"""A reasoner for tests: it decides by plain rules, costs what it is told to, and can be made to fail."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from decimal import Decimal

from intelli.reasoning import changing, remembering, thoughts, writing
from intelli.reasoning.asked import Asked
from intelli.reasoning.extractive import commands, intents, tabulating
from intelli.reasoning.failures import ModelUnavailable
from intelli.reasoning.thoughts import Usage

_WORDS = re.compile(r"\w+")
FREE = Decimal(0)


class PlainReasoner:
    """One task for each half of "… and …"; findings are the sentences that share a word with the task."""

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
        self.prompts: Mapping[str, str] = {"plan": "1", "write": "1"}
        self.calls: list[str] = []
        self._cents = cents
        self._ceiling = cents if ceiling is None else ceiling
        self._on_call = on_call
        self._fails = fails

    def ceiling(self, asked: Asked) -> Decimal:
        return self._ceiling

    async def intent(self, asked: thoughts.IntentAsked) -> tuple[thoughts.Intent, Usage]:
        unclear = "?" not in asked.question and not asked.conversation and asked.question.startswith("unclear")
        question = "Which year do you mean?" if unclear else None
        changing = intents.intent(asked).changing
        intent = thoughts.Intent(kind=thoughts.IntentKind.QUESTION, clarification=question, changing=changing)
        return intent, self._took("intent")

    async def plan(self, asked: thoughts.PlanAsked) -> tuple[thoughts.Plan, Usage]:
        parts = [part.strip(" ?") for part in commands.rest(asked.question).split(" and ")][: asked.max_tasks]
        tasks = tuple(thoughts.PlannedTask(title=part, message=part, queries=(part,)) for part in parts)
        return thoughts.Plan(title=asked.question, summary="", tasks=tasks), self._took("plan")

    async def note(self, asked: thoughts.NoteAsked) -> tuple[thoughts.Notes, Usage]:
        usage = self._took("note")
        findings = [
            thoughts.Finding(text=passage.text, identifier=passage.identifier, quote=passage.text, relevance=0.9)
            for passage in asked.passages
        ]
        return thoughts.Notes(task_title=asked.task.title, findings=tuple(findings)), usage

    async def brief(self, asked: thoughts.BriefAsked) -> tuple[thoughts.Brief, Usage]:
        findings = tuple(finding for notes in asked.notes for finding in notes.findings)
        return thoughts.Brief(title=asked.question, question=asked.question, findings=findings), self._took("brief")

    async def tabulate(self, asked: thoughts.TabulateAsked) -> tuple[thoughts.Tabulated, Usage]:
        return tabulating.tabulate(asked), self._took("tabulate")

    async def write(self, asked: writing.WriteAsked) -> tuple[writing.Section, Usage]:
        quotes = [thoughts.Quote(text=each.quote, identifier=each.identifier) for each in asked.findings]
        said = [
            writing.Sentence(text=f"{each.text} ", quotes=(quote,))
            for each, quote in zip(asked.findings, quotes, strict=True)
        ]
        return writing.Section(heading="What was found", paragraphs=(tuple(said),)), self._took("write")

    async def answer(self, asked: thoughts.AnswerAsked) -> AsyncIterator[thoughts.Delta | thoughts.Answered]:
        usage = self._took("answer")
        text = " ".join(
            f'{finding.text} <gml-inlinecitation identifier="{finding.identifier}"/>'
            for finding in asked.brief.findings
        )
        text = " ".join([text or "The sources do not say.", *asked.problems])
        for word in re.findall(r"\S+\s*", text):
            yield thoughts.Delta(text=word)
        answer = thoughts.Answer(text=text, is_answered=bool(asked.brief.findings), confidence=0.5)
        yield thoughts.Answered(answer=answer, usage=usage)

    async def title(self, asked: thoughts.TitleAsked) -> tuple[thoughts.Title, Usage]:
        return thoughts.Title(title=asked.question[:40]), self._took("title")

    async def judge(self, asked: thoughts.JudgeAsked) -> tuple[thoughts.Judgement, Usage]:
        verdict = thoughts.Verdict.SUPPORTED if words(asked.statement) & words(asked.passage.text) else "unrelated"
        return thoughts.Judgement(verdict=verdict, score=0.8, reason="By its words."), self._took("judge")

    async def change(self, asked: changing.ChangeAsked) -> tuple[changing.Changes, Usage]:
        return commands.changes(asked), self._took("change")

    async def extract(self, asked: remembering.ExtractAsked) -> tuple[remembering.Extracted, Usage]:
        raise NotImplementedError

    async def resolve(self, asked: remembering.ResolveAsked) -> tuple[remembering.Resolved, Usage]:
        raise NotImplementedError

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
