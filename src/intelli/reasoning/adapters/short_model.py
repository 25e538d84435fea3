"""Reasoner with a weak model: it phrases answers whose sentence stands in a source; all else is done without it.

See `reasoning.short` for how it is asked, and what of its replies is believed.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from intelli.kit.compute import Compute, InProcess
from intelli.language import words
from intelli.language.markdown import plain
from intelli.reasoning import prompt
from intelli.reasoning.adapters.chat import Chat, Completion
from intelli.reasoning.citation_stream import citation_tag
from intelli.reasoning.extractive import phrases
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.prompt import Prompt
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.short import believe
from intelli.reasoning.short.believe import QuotedSentence, QuoteReply, ShortReply
from intelli.reasoning.short.passages import select_passages, show_passages
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.usage import EXTRACTIVE, Usage
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.answer import Answer, AnswerEnd, AnswerInput, Delta
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput

_EXTRACTED = "The model found no sentence that answers; what is told here are the sources' own words."
_PROMPTS = ("quote", "reply", "sentence")
_MOST_PARTS = 4
# The share of believed sentences that answered, as `bench/local_model.py` measured it.
_BELIEVED = 0.75
# A sentence needs no more; a weak model may write without end.
_LONGEST_SENTENCE = 400


@dataclass(frozen=True, slots=True)
class AnsweredPart:
    """A part of the question and what answers it; None where the sources do not. An extract is not the model's."""

    question: str
    text: str | None
    usage: Usage
    is_extract: bool = False
    confidence: float = 0


class ShortModelReasoner:
    """Reasoner with a model that is asked one short thing at a time; `fallback` executes all verbs but the answer."""

    def __init__(self, settings: ModelSettings, fallback: Reasoner, compute: Compute | None = None) -> None:
        self._chat = Chat(settings)
        self._fallback = fallback
        self._compute = compute or InProcess()
        self.name = f"model:{settings.name}"

    @property
    def prompts(self) -> Mapping[str, str]:
        """Version of every short prompt, all of them for the verb `answer`."""
        return {f"answer.{name}": prompt.load_short_template(name).version for name in _PROMPTS}

    def ceiling(self, given: ReasonerInput) -> Decimal:
        """Compute the highest cost: each form once for each part of the question."""
        if not isinstance(given, AnswerInput):
            return self._fallback.ceiling(given)
        return sum((self._ceiling(part, given) for part in _parts(given)), Decimal(0))

    def estimate_s(self, given: ReasonerInput) -> float | None:
        """Estimate the wait for the first form; None for what needs no model."""
        if not isinstance(given, AnswerInput) or not given.passages:
            return None
        first = _parts(given)[0]
        return self._chat.estimate_s(_fill("quote", first, _select(first, given)), QuoteReply)

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """Execute a verb without the model."""
        return await self._fallback.do(given)

    async def answer(self, given: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        """Yield a paragraph for each part of the question, as soon as it is known."""
        if given.brief.findings:
            async for part in self._fallback.answer(given):
                yield part
            return
        said, done = list[str](), list[AnsweredPart]()
        questions = _parts(given)
        for question in questions:
            done.append(await self._answer_or_extract(question, given))
            if done[-1].text is not None or len(questions) > 1:
                yield Delta(text=_append(said, done[-1].text or _unsaid(done[-1])))
        is_answered = any(each.text is not None for each in done)
        for line in _remarks(given, is_answered=is_answered):
            yield Delta(text=_append(said, line))
        notice = _EXTRACTED if any(each.is_extract for each in done) else ""
        sure = max((each.confidence for each in done), default=0)
        answer = Answer(text="".join(said), is_answered=is_answered, notice=notice, confidence=sure)
        # Named for who wrote it: where all that is said are extracts, that is not the model.
        is_all_extracts = is_answered and all(each.is_extract for each in done if each.text is not None)
        writer = Usage(model=EXTRACTIVE if is_all_extracts else self._chat.model)
        yield AnswerEnd(answer=answer, usage=sum((each.usage for each in done), writer))

    async def close(self) -> None:
        """Close the connections."""
        await self._chat.close()

    async def _answer_or_extract(self, question: str, given: AnswerInput) -> AnsweredPart:
        """Ask the model; where it has nothing that can be believed, take what the sources' own sentences say."""
        answered = await self._answer_part(question, given)
        if answered.text is not None:
            return answered
        task = next((each for each in given.tasks if question in {each.message, each.title}), None)
        tasks = (task,) if task is not None else given.tasks
        asked = given.model_copy(update={"question": question, "tasks": tasks, "problems": ()})
        async for part in self._fallback.answer(asked):
            if isinstance(part, AnswerEnd) and part.answer.is_answered:
                found = part.answer
                return replace(answered, text=found.text, is_extract=True, confidence=found.confidence)
        return answered

    async def _answer_part(self, question: str, given: AnswerInput) -> AnsweredPart:
        """Ask for a quote, have it confirmed by another form, and let the model phrase what its quote carries."""
        passages = _select(question, given)
        spent = Usage(model=self._chat.model)
        if not passages:
            return AnsweredPart(question, None, spent)
        quoted, usage = await self._chat.ask(_fill("quote", question, passages), QuoteReply, lambda draft: draft)
        spent += usage
        evidence = await self._compute.run(believe.find_evidence, quoted, question, passages)
        if evidence is None:
            return AnsweredPart(question, None, spent)
        short, usage = await self._chat.ask(_fill("reply", question, passages), ShortReply, lambda draft: draft)
        spent += usage
        sentence, usage = await self._write_sentence(question, passages)
        spent += usage
        if not believe.says_something(short.answer) and not believe.says_something(sentence):
            return AnsweredPart(question, None, spent)
        is_agreed = believe.agree(short.answer, quoted.answer, question)
        text = _statement(sentence if is_agreed else "", quoted, evidence, question)
        return AnsweredPart(question, text, spent, confidence=_BELIEVED)

    async def _write_sentence(self, question: str, passages: Sequence[SourceText]) -> tuple[str, Usage]:
        """Return the model's own sentence; it is cut off where it goes on."""
        text, usage = "", Usage(model=self._chat.model)
        async for piece in self._chat.stream(_fill("sentence", question, passages)):
            if isinstance(piece, Completion):
                usage = piece.usage
            else:
                text += piece
        line = text.strip().split("\n")[0]
        return (line if len(line) <= _LONGEST_SENTENCE else ""), usage

    def _ceiling(self, question: str, given: AnswerInput) -> Decimal:
        passages = _select(question, given)
        made = [_fill(name, question, passages) for name in _PROMPTS]
        return sum((self._chat.ceiling(each, may_repair=each.name != "sentence") for each in made), Decimal(0))


def _parts(given: AnswerInput) -> list[str]:
    """Return the parts of a question, or the question; one that follows others is told in full by its task."""
    told = [task.message or task.title for task in given.tasks[:_MOST_PARTS]]
    return told if len(told) > 1 or (told and given.conversation) else [given.question]


def _select(question: str, given: AnswerInput) -> tuple[SourceText, ...]:
    return select_passages(question, given.passages, is_ranked=len(given.tasks) <= 1)


def _fill(name: str, question: str, passages: Sequence[SourceText]) -> Prompt:
    # The fence is that of the passages: all forms begin alike, and a server reads them once.
    fence = Fence.for_texts([each.text for each in passages])
    template = prompt.load_short_template(name)
    return template.fill({"passages": show_passages(fence, passages), "question": question})


def _statement(sentence: str, quoted: QuoteReply, evidence: QuotedSentence, question: str) -> str:
    text = believe.phrase(sentence, quoted, evidence, question)
    return f"{plain(text)} {citation_tag(evidence.passage.identifier)}"


def _append(said: list[str], line: str) -> str:
    """Add a paragraph and return it with what goes before it."""
    said.append(f"\n\n{line}" if said else line)
    return said[-1]


def _unsaid(part: AnsweredPart) -> str:
    return phrases.phrases_in(words.tongue_of(part.question)).unsaid.format(plain(part.question))


def _remarks(given: AnswerInput, *, is_answered: bool) -> list[str]:
    said = phrases.phrases_in(words.tongue_of(given.question))
    missing = [] if is_answered else [said.unanswered]
    return [*missing, *map(plain, given.problems)]
