"""What a model can do, tried one after the other: chat, streaming, forms, tools, length, language, citing."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from intelli.language import words
from intelli.models import context_length, exam
from intelli.models.offered import EndpointAddress
from intelli.models.wire import AbilityName, AbilityState, PromptShape
from intelli.reasoning.adapters.chat import Chat, Completion, ReplyFormat
from intelli.reasoning.adapters.model import ModelReasoner
from intelli.reasoning.errors import AnswerUnusable, ModelRefused
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.prompt import Prompt
from intelli.reasoning.values import ReasoningModel

# With less, neither our rules nor a few sources fit.
LEAST_CONTEXT = 6_000
_GOOD_CONTEXT = 16_000
_LEAST_PIECES = 3
_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get the weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
_CHAT = Prompt("ability", "You answer in one short sentence.", "Say hello.")
_COUNT = Prompt("ability", "You do what you are asked, and nothing else.", "Count from one to ten, in words.")
_SCHEMA = Prompt(
    "ability",
    "You read a sentence and fill a form: `city`, `mood` (good, bad or mixed), `year` (null where none is named) and "
    "`colours`, a list.",
    "The harbour of Bergen was lovely, all red and yellow.",
)
_WEATHER = Prompt("ability", "You use the tools that you have.", "What is the weather in Bergen now?")
_GERMAN = Prompt(
    "ability",
    "You answer in the language of the question.",
    "Wie hei\u00dft die Hauptstadt von Frankreich, und an welchem Fluss liegt sie?",
)


class AbilityForm(ReasoningModel):
    """Form with a choice, a value that may be missing, and a list: what our own forms are made of."""

    city: str
    mood: Literal["good", "bad", "mixed"]
    year: int | None
    colours: list[str]


@dataclass(frozen=True, slots=True)
class TriedAbility:
    """How a trial ended, and what that means, in a sentence for people."""

    state: AbilityState
    detail: str


class ModelTrial:
    """Trial of one model. It remembers what later steps need: the format of replies, and what the model can read."""

    def __init__(self, settings: ModelSettings, address: EndpointAddress, *, allow_private: bool) -> None:
        self._settings = settings
        self._address = address
        self._allow_private = allow_private
        self._chat = Chat(settings)
        self.first_word_s: float | None = None
        self.takes_schema = True
        self.context_tokens = settings.context_tokens
        self._has_passed = False

    @property
    def steps(self) -> dict[AbilityName, Callable[[], Awaitable[TriedAbility]]]:
        """What is tried, in its order. Each raises ModelUnavailable or ModelRefused when the model cannot be asked."""
        return {
            AbilityName.CHAT: self._try_chat,
            AbilityName.STREAMING: self._try_streaming,
            AbilityName.SCHEMA: self._try_schema,
            AbilityName.TOOLS: self._try_tools,
            AbilityName.LENGTH: self._try_length,
            AbilityName.LANGUAGE: self._try_language,
            AbilityName.CITING: self._try_citing,
        }

    @property
    def shape(self) -> PromptShape:
        """How the model is asked, by what was tried."""
        return PromptShape.FULL if self._has_passed and self.context_tokens >= LEAST_CONTEXT else PromptShape.SHORT

    async def close(self) -> None:
        """Close the connections."""
        await self._chat.close()

    async def _try_chat(self) -> TriedAbility:
        text, _ = await self._stream(_CHAT)
        return TriedAbility(AbilityState.YES, f"It answers, for example: \u201c{' '.join(text.split())[:80]}\u201d")

    async def _try_streaming(self) -> TriedAbility:
        _, pieces = await self._stream(_COUNT)
        if pieces < _LEAST_PIECES:
            return TriedAbility(
                AbilityState.PARTLY, "Answers arrive in one piece: nothing is shown until they are whole."
            )
        return TriedAbility(
            AbilityState.YES, f"Answers are shown while they are written, after {self.first_word_s:.1f} s."
        )

    async def _try_schema(self) -> TriedAbility:
        if await self._fills_form(self._chat):
            if self._chat.reply_format is ReplyFormat.SCHEMA:
                return TriedAbility(AbilityState.YES, "Replies hold to a JSON schema.")
            return TriedAbility(
                AbilityState.PARTLY, "The endpoint takes no JSON schema; told in words, the form is kept."
            )
        # An endpoint may take a schema and not heed it: then the form has to be told in words.
        told = Chat(self._settings.model_copy(update={"takes_schema": False}))
        try:
            if await self._fills_form(told):
                self.takes_schema = False
                return TriedAbility(
                    AbilityState.PARTLY, "A JSON schema is not heeded; told in words, the form is kept."
                )
        finally:
            await told.close()
        return TriedAbility(AbilityState.NO, "Replies do not keep to a form. Steps that need one are done without it.")

    async def _fills_form(self, chat: Chat) -> bool:
        try:
            filled, _ = await chat.ask(_SCHEMA, AbilityForm, lambda form: form)
        except AnswerUnusable:
            return False
        return "bergen" in filled.city.lower()

    async def _try_tools(self) -> TriedAbility:
        try:
            is_called = await self._chat.call_tool(_WEATHER, _TOOL)
        except ModelRefused:
            return TriedAbility(AbilityState.NO, "The endpoint takes no tools. Research does not need them.")
        if is_called:
            return TriedAbility(AbilityState.YES, "It calls tools.")
        return TriedAbility(AbilityState.NO, "It does not call tools that it is offered. Research does not need them.")

    async def _try_length(self) -> TriedAbility:
        given = self.context_tokens
        told = await context_length.find_context(
            self._address, self._settings.name or "", allow_private=self._allow_private
        )
        if told is None:
            return TriedAbility(
                AbilityState.UNKNOWN,
                f"The endpoint does not tell how much it reads at once. {given:,} tokens are assumed, as its limits "
                "say. If it reads less, lower them.",
            )
        self.context_tokens = min(told, given)
        number = f"{told:,} tokens"
        if told < LEAST_CONTEXT:
            remedy = "It is asked in short steps. Give it more where it is served, and here."
            return TriedAbility(AbilityState.NO, f"It reads only {number} at once. {remedy}")
        if told < _GOOD_CONTEXT:
            return TriedAbility(AbilityState.PARTLY, f"It reads {number} at once: few sources fit into one question.")
        if told > given:
            return TriedAbility(AbilityState.YES, f"It reads {number} at once. Its limits give it {given:,}.")
        return TriedAbility(AbilityState.YES, f"It reads {number} at once.")

    async def _try_language(self) -> TriedAbility:
        text, _ = await self._stream(_GERMAN)
        if words.find_language(text) == "de":
            return TriedAbility(AbilityState.YES, "It answers a German question in German.")
        return TriedAbility(AbilityState.NO, "It answered a German question in another language.")

    async def _try_citing(self) -> TriedAbility:
        reasoner = ModelReasoner(self._settings.model_copy(update={"takes_schema": self.takes_schema}))
        try:
            result = await exam.examine(reasoner)
        finally:
            await reasoner.close()
        self._has_passed = result.is_passed
        if result.is_passed:
            return TriedAbility(AbilityState.YES, "It plans research, and answers with the right sources.")
        failed = f"{result.right} of {result.total} tasks were right: {'; '.join(result.failed)}."
        state = AbilityState.PARTLY if result.right else AbilityState.NO
        return TriedAbility(state, f"{failed} It is asked one short thing at a time.")

    async def _stream(self, prompt: Prompt) -> tuple[str, int]:
        """Return the text of a reply and the number of its pieces; the seconds until its first word are kept."""
        began, pieces, first, text = time.monotonic(), 0, None, ""
        async for piece in self._chat.stream(prompt):
            if isinstance(piece, Completion):
                text = piece.text
            else:
                first = first or time.monotonic() - began
                pieces += 1
        # The first reply of all may have waited until the model was loaded: the last one counts.
        self.first_word_s = round(first or time.monotonic() - began, 3)
        return text, pieces
