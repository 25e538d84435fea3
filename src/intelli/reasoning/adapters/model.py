"""Reasoner with a model: its output is checked against the sources before it is used."""

import re
from collections.abc import AsyncIterator, Mapping
from decimal import Decimal

from intelli.reasoning import verbs
from intelli.reasoning.adapters.chat import Chat, Completion
from intelli.reasoning.errors import AnswerUnusable
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import (
    Answer,
    AnswerEnd,
    AnswerInput,
    Delta,
    ModelAnswer,
    may_be_request,
    requests_of,
)
from intelli.reasoning.verbs.verb import Output, ReasonerInput, Sources, VerbInput

_CHARACTERS_PER_TOKEN = 3
_WORD = re.compile(r"[^\W\d_]{2}|[\u0e00-\u9fff\uac00-\ud7af]|\d")


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

    def estimate_s(self, given: ReasonerInput) -> float | None:
        """Estimate the wait from the size of the prompt and the speed of earlier calls."""
        prompt = verbs.build_request(given, characters=self._characters).prompt
        return self._chat.estimate_s(prompt, verbs.verb_of(given).draft if isinstance(given, VerbInput) else None)

    async def do(self, given: VerbInput[Output]) -> tuple[Output, Usage]:
        """Request the verb's draft from the model and check it."""
        verb = verbs.verb_of(given)
        request = verb.request(given, characters=self._characters)
        return await self._chat.ask(request.prompt, verb.draft, lambda draft: verb.check(draft, given, request.sources))

    async def answer(self, given: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        """Yield the model's text with handles as citations."""
        request = verbs.build_request(given, characters=self._characters)
        told = ModelAnswer(given, request.sources)
        held, is_begun, unsure = "", False, _Undecided(is_open=given.may_read_on)
        async for each in self._chat.stream(request.prompt):
            piece = unsure.feed(each)
            if piece is None:
                continue
            if isinstance(piece, Completion) and unsure.text:
                yield self._request(unsure.text, piece, request.sources)
                return
            held += told.end() if isinstance(piece, Completion) else told.feed(piece)
            is_begun = is_begun or _has_word(held)
            if is_begun and held:
                yield Delta(text=held)
                held = ""
            if isinstance(piece, Completion):
                if not is_begun:
                    raise AnswerUnusable(f"The model {self._chat.model} wrote no words.", usage=piece.usage)
                yield AnswerEnd(answer=told.answer(is_whole=piece.is_whole), usage=piece.usage)

    def _request(self, text: str, said: Completion, sources: Sources) -> AnswerEnd:
        """Return the end of a reply that only asks to read on."""
        wanted = requests_of(text, sources)
        if not wanted:
            raise AnswerUnusable(f"The model {self._chat.model} asked to read what is not there.", usage=said.usage)
        return AnswerEnd(answer=Answer(text="", is_answered=False, wanted=wanted), usage=said.usage)

    async def close(self) -> None:
        """Close the connections."""
        await self._chat.close()


class _Undecided:
    """Beginning of a reply that may come to be a request to read on; it is held back no longer than that."""

    def __init__(self, *, is_open: bool) -> None:
        self._is_open = is_open
        self.text = ""

    def feed(self, piece: str | Completion) -> str | Completion | None:
        """Return what can be handled now, with what was held back; None while the reply may still be a request."""
        if not self._is_open or isinstance(piece, Completion):
            return piece
        self.text += piece
        if may_be_request(self.text):
            return None
        text, self.text, self._is_open = self.text, "", False
        return text


def _has_word(text: str) -> bool:
    """Whether a text has a word to read. Nothing is shown before: a model that writes none has not answered."""
    return _WORD.search(text) is not None
