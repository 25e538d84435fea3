"""Reasoner with a model: its output is checked against the sources before it is used."""

from collections.abc import AsyncIterator, Mapping
from decimal import Decimal

from intelli.reasoning import verbs
from intelli.reasoning.adapters.chat import Chat, Completion
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import AnswerEnd, AnswerInput, Delta, ModelAnswer
from intelli.reasoning.verbs.verb import Output, ReasonerInput, VerbInput

_CHARACTERS_PER_TOKEN = 3


class ModelReasoner:
    """Reasoner with any model behind an OpenAI-compatible endpoint."""

    def __init__(self, settings: ModelSettings) -> None:
        self._chat = Chat(settings)
        self._characters = (settings.context_tokens - settings.output_tokens) * _CHARACTERS_PER_TOKEN
        self.name = f"model:{settings.name}"

    @property
    def prompts(self) -> Mapping[str, str]:
        """Version of every prompt."""
        return verbs.prompt_versions()

    def ceiling(self, given: ReasonerInput) -> Decimal:
        """Compute the highest cost from the size of the prompt and the limit of the output."""
        prompt = verbs.build_request(given, characters=self._characters).prompt
        return self._chat.ceiling(prompt, may_repair=isinstance(given, VerbInput))

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """Request the verb's draft from the model and check it."""
        verb = verbs.verb_of(given)
        request = verb.request(given, characters=self._characters)
        return await self._chat.ask(request.prompt, verb.draft, lambda draft: verb.check(draft, given, request.sources))

    async def answer(self, given: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        """Yield the model's text with handles as citations."""
        request = verbs.build_request(given, characters=self._characters)
        told = ModelAnswer(given, request.sources)
        async for piece in self._chat.stream(request.prompt):
            shown = told.end() if isinstance(piece, Completion) else told.feed(piece)
            if shown:
                yield Delta(text=shown)
            if isinstance(piece, Completion):
                yield AnswerEnd(answer=told.answer(is_whole=piece.is_whole), usage=piece.usage)

    async def close(self) -> None:
        """Close the connections."""
        await self._chat.close()
