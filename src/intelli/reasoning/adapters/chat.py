"""Calls to one model behind an OpenAI-compatible endpoint: limited, timed, retried once, with token counts.

Features that an endpoint lacks (a JSON schema, a name for the output limit) are learnt from its first refusal.
"""

import asyncio
import json
import math
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import httpx
import openai
from langsmith import tracing_context

from intelli.kit import setting_types
from intelli.reasoning import model_json, prices
from intelli.reasoning.adapters import endpoints
from intelli.reasoning.adapters.call_speed import CallSpeed
from intelli.reasoning.adapters.chat_errors import (
    EndpointLimit,
    Transient,
    as_transient,
    error_sentence,
    find_wait_s,
)
from intelli.reasoning.errors import AnswerUnusable, ModelRefused, ModelUnavailable
from intelli.reasoning.model_json import Form, UnusableReply
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.prompt import Prompt
from intelli.reasoning.usage import Usage

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk
    from langchain_openai import ChatOpenAI

Result = TypeVar("Result")
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
# A token is hardly ever less than two bytes: a ceiling must not be too low.
_BYTES_PER_TOKEN = 2
_OVERHEAD_TOKENS = 64
_FORM_WORDS = ("response_format", "json_schema", "json_object", "grammar")
# What is raised when nothing comes, too little, or something else than the protocol says.
_CUT_OFF = (openai.APIError, httpx.HTTPError, TimeoutError, ValueError, TypeError, KeyError, AttributeError, IndexError)
# Statuses with which endpoints refuse what they do not know.
_UNKNOWN = frozenset({400, 404, 415, 422, 500, 501})
_TRIES = 2
# An endpoint that could not be reached is not tried again for so long.
_UNREACHABLE_S = 10.0
Message = tuple[str, str]
_LIMIT_FIELDS = ("max_tokens", "max_completion_tokens")


class ReplyFormat(IntEnum):
    """How the endpoint is told the format of its reply; each is supported by more endpoints than the one before."""

    SCHEMA = 0
    JSON = 1
    TEXT = 2


@dataclass(frozen=True, slots=True)
class Completion:
    """Text of the model, whether it is complete, and its usage."""

    text: str
    is_whole: bool
    usage: Usage


class Chat:
    """Client of one model."""

    def __init__(self, settings: ModelSettings) -> None:
        self.model = settings.name or ""
        self._settings = settings
        self._price = prices.get_price(settings)
        self._slots = asyncio.Semaphore(settings.concurrency)
        # Our own: the library's default is shared by all that use it, in whatever loop.
        self._timeout = httpx.Timeout(settings.timeout_s, connect=min(settings.timeout_s, endpoints.CONNECT_S))
        key = setting_types.reveal_secret(settings.api_key)
        headers = {settings.key_header: key} if settings.key_header and key else {}
        self._connections = endpoints.create_client(
            timeout=self._timeout, headers=headers, is_guarded=settings.is_guarded
        )
        self._reply = ReplyFormat.SCHEMA if settings.takes_schema else ReplyFormat.JSON
        self._limit_field = _LIMIT_FIELDS[0]
        self._temperature = settings.temperature
        self._unreachable_until = 0.0
        self._speed = CallSpeed()

    def ceiling(self, prompt: Prompt, *, may_repair: bool) -> Decimal:
        """Return the most a call can cost: each of its tries that may be billed, at its longest."""
        asked = estimate_tokens(len(prompt))
        limit = self._settings.output_tokens
        most = self._price.usage(self.model, input_tokens=2 * asked, output_tokens=limit)
        if may_repair:
            again = 2 * (asked + limit + _OVERHEAD_TOKENS)
            most += self._price.usage(self.model, input_tokens=again, output_tokens=limit)
        return most.cost

    def estimate_s(self, prompt: Prompt, form: type[Form] | None) -> float | None:
        """Return the seconds until a reply in a form, or until the first word of a stream; None while unknown."""
        characters = len(prompt.system) + len(prompt.user)
        if form is None:
            return self._speed.estimate_first_word_s(characters)
        return self._speed.estimate_reply_s(model_json.name_of(form), characters)

    async def ask(self, prompt: Prompt, form: type[Form], check: Callable[[Form], Result]) -> tuple[Result, Usage]:
        """Request a reply in a form and check it; an unusable one is sent back once with the reason.

        Raises AnswerUnusable when the second reply is unusable, too.
        """
        messages = [("system", prompt.system), ("user", prompt.user)]
        said = await self._complete(messages, form, Usage(model=self.model))
        try:
            return check(_parse_completion(said, form)), said.usage
        except UnusableReply as unfit:
            again = f"That cannot be used: {unfit}. Answer again, with nothing but the JSON object that was asked for."
        said = await self._complete([*messages, ("assistant", said.text), ("user", again)], form, said.usage)
        try:
            return check(_parse_completion(said, form)), said.usage
        except UnusableReply as unfit:
            raise AnswerUnusable(
                f"The model {self.model} answered twice with something that cannot be used: {unfit}.", usage=said.usage
            ) from None

    @property
    def reply_format(self) -> ReplyFormat:
        """How the endpoint is told the format of a reply, as far as its refusals have shown."""
        return self._reply

    async def call_tool(self, prompt: Prompt, tool: Mapping[str, Any]) -> bool:
        """Offer a tool; return whether the model calls it. Raises ModelRefused or ModelUnavailable."""
        messages = [("system", prompt.system), ("user", prompt.user)]
        spent = Usage(model=self.model)
        self._refuse_unreachable(spent)
        async with self._slots:
            try:
                with tracing_context(enabled=False):
                    async with asyncio.timeout(self._settings.timeout_s):
                        message = await self._client.ainvoke(messages, tools=[tool], extra_body=self._limits())
            except openai.APIStatusError as error:
                raise self._refusal(error, spent) from None
            except _CUT_OFF as error:
                raise ModelUnavailable(
                    f"The model {self.model} does not answer ({as_transient(error)}).", usage=spent
                ) from None
        return bool(message.tool_calls)

    async def stream(self, prompt: Prompt) -> AsyncIterator[str | Completion]:
        """Yield the reply in pieces, then the whole of it. Retried only while nothing has been received."""
        messages = [("system", prompt.system), ("user", prompt.user)]
        spent = Usage(model=self.model)
        tries = 0
        self._refuse_unreachable(spent)
        async with self._slots:
            while True:
                try:
                    async with aclosing(self._stream(messages, spent)) as pieces:
                        async for piece in pieces:
                            yield piece
                except EndpointLimit:
                    continue
                except Transient as transient:
                    tries += 1
                    spent = await self._wait(transient, messages, spent, is_last=tries == _TRIES)
                else:
                    return

    async def close(self) -> None:
        """Close the connections."""
        await self._connections.aclose()

    def _unreachable(self, spent: Usage) -> ModelUnavailable:
        return ModelUnavailable(
            f"The model {self.model} cannot be reached at {self._settings.base_url}. Start its server, or change "
            f"{'its address in Settings, Models' if self._settings.is_of_workspace else 'model.base_url'}.",
            usage=spent,
        )

    def _refuse_unreachable(self, spent: Usage) -> None:
        """Raise when the endpoint could not be reached a moment ago: a run has many steps, and each would wait."""
        if time.monotonic() < self._unreachable_until:
            raise self._unreachable(spent)

    async def _complete(self, messages: list[Message], form: type[Form], spent: Usage) -> Completion:
        tries = 0
        self._refuse_unreachable(spent)
        async with self._slots:
            while True:
                try:
                    return await self._complete_once(messages, form, spent)
                except EndpointLimit:
                    continue
                except Transient as transient:
                    tries += 1
                    spent = await self._wait(transient, messages, spent, is_last=tries == _TRIES)

    async def _wait(self, transient: Transient, messages: list[Message], spent: Usage, *, is_last: bool) -> Usage:
        """Wait before the next try and return the usage so far; after the last try raise ModelUnavailable."""
        if transient.is_billed:
            size = _estimate_messages(messages)
            spent += self._price.usage(self.model, input_tokens=size, output_tokens=0, is_estimated=True)
        if is_last:
            if not transient.is_reached:
                self._unreachable_until = time.monotonic() + _UNREACHABLE_S
                raise self._unreachable(spent) from None
            raise ModelUnavailable(f"The model {self.model} does not answer ({transient}).", usage=spent) from None
        wait_s = self._settings.backoff_s if transient.wait_s is None else transient.wait_s
        await asyncio.sleep(wait_s)
        return spent

    async def _complete_once(self, messages: list[Message], form: type[Form], spent: Usage) -> Completion:
        reply, began = self._reply, time.monotonic()
        try:
            with tracing_context(enabled=False):
                async with asyncio.timeout(self._settings.timeout_s):
                    message = await self._client.ainvoke(
                        _with_schema(messages, form, reply), extra_body=self._extra(form, reply)
                    )
        except openai.APIStatusError as error:
            raise self._classify(error, reply, spent) from None
        except _CUT_OFF as error:
            raise as_transient(error) from None
        self._speed.observe_reply(
            model_json.name_of(form),
            characters=_count_characters(messages),
            written=len(_text(message)),
            seconds=time.monotonic() - began,
        )
        return self._build_completion(messages, message, spent)

    async def _stream(self, messages: list[Message], spent: Usage) -> AsyncGenerator[str | Completion, None]:
        heard: AIMessageChunk | None = None
        began, is_begun = time.monotonic(), False
        pieces = self._client.astream(messages, extra_body=self._limits())
        try:
            while True:
                with tracing_context(enabled=False):
                    async with asyncio.timeout(self._settings.timeout_s):
                        piece = await anext(pieces, None)
                if piece is None:
                    break
                heard = piece if heard is None else heard + piece
                if text := _text(piece):
                    if not is_begun:
                        self._speed.observe_first_word(_count_characters(messages), time.monotonic() - began)
                    is_begun = True
                    yield text
        except openai.APIStatusError as error:
            raise self._classify(error, ReplyFormat.TEXT, spent) from None
        except _CUT_OFF as error:
            if heard is None or not _text(heard):
                raise as_transient(error) from None
        if heard is None or not _text(heard):
            raise Transient("it said nothing")
        yield self._build_completion(messages, heard, spent)

    def _build_completion(self, messages: list[Message], message: "AIMessage", spent: Usage) -> Completion:
        text = _text(message)
        told = message.usage_metadata
        usage = self._price.usage(
            self.model,
            input_tokens=told["input_tokens"] if told else _estimate_messages(messages),
            output_tokens=told["output_tokens"] if told else estimate_tokens(len(text.encode())),
            is_estimated=told is None,
        )
        return Completion(text, message.response_metadata.get("finish_reason") == "stop", spent + usage)

    def _limits(self) -> dict[str, Any]:
        limits: dict[str, Any] = {self._limit_field: self._settings.output_tokens}
        if self._temperature is not None:
            limits["temperature"] = self._temperature
        return limits

    def _extra(self, form: type[Form], reply: ReplyFormat) -> dict[str, Any]:
        extra = self._limits()
        if reply is ReplyFormat.SCHEMA:
            schema = {"name": model_json.name_of(form), "strict": True, "schema": model_json.schema_of(form)}
            extra["response_format"] = {"type": "json_schema", "json_schema": schema}
        if reply is ReplyFormat.JSON:
            extra["response_format"] = {"type": "json_object"}
        return extra

    def _classify(self, error: openai.APIStatusError, reply: ReplyFormat, spent: Usage) -> Exception:
        if self._adapts_to(error, reply):
            return EndpointLimit()
        if error.status_code in _RETRIED and "insufficient_quota" not in str(error.body):
            return Transient(f"status {error.status_code}", wait_s=find_wait_s(error), is_billed=False)
        return self._refusal(error, spent)

    def _refusal(self, error: openai.APIStatusError, spent: Usage) -> ModelRefused:
        of_workspace = "Check its address, key and name in Settings, Models."
        of_settings = "Check model.base_url, model.api_key and model.name."
        return ModelRefused(
            f"The model's endpoint refuses with status {error.status_code}: {error_sentence(error)} "
            f"{of_workspace if self._settings.is_of_workspace else of_settings}",
            usage=spent,
        )

    def _adapts_to(self, error: openai.APIStatusError, reply: ReplyFormat) -> bool:
        """Return whether the refusal was for a feature that can be replaced, and remember that for later calls."""
        if error.status_code not in _UNKNOWN:
            return False
        refused = f"{error.message} {error.body}".lower()
        first, second = _LIMIT_FIELDS
        if self._limit_field == first and f"'{first}'" in refused and "support" in refused:
            self._limit_field = second
            return True
        if self._temperature is not None and "'temperature'" in refused:
            self._temperature = None
            return True
        if reply is not ReplyFormat.TEXT and any(word in refused for word in _FORM_WORDS):
            self._reply = max(self._reply, ReplyFormat(reply + 1))
            return True
        return False

    @cached_property
    def _client(self) -> "ChatOpenAI":
        # Loaded at first use: its import takes longer than the rest of the program.
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(
            model=self.model,
            base_url=self._settings.base_url,
            api_key=lambda: setting_types.reveal_secret(self._settings.api_key) or "none",
            timeout=self._timeout,
            max_retries=0,
            stream_usage=True,
            http_async_client=self._connections,
        )


def estimate_tokens(size_bytes: int) -> int:
    """Return the most tokens that a text of a size in bytes has."""
    return math.ceil(size_bytes / _BYTES_PER_TOKEN) + _OVERHEAD_TOKENS


def _count_characters(messages: list[Message]) -> int:
    return sum(len(text) for _, text in messages)


def _estimate_messages(messages: list[Message]) -> int:
    return estimate_tokens(sum(len(text.encode()) for _, text in messages))


def _parse_completion(said: Completion, form: type[Form]) -> Form:
    if not said.is_whole:
        raise UnusableReply("it was cut off; be shorter")
    return model_json.parse_reply(said.text, form)


def _with_schema(messages: list[Message], form: type[Form], reply: ReplyFormat) -> list[Message]:
    """Append the schema to the system message, for endpoints that take no schema."""
    if reply is ReplyFormat.SCHEMA:
        return messages
    (_, system), *rest = messages
    schema = json.dumps(model_json.schema_of(form), separators=(",", ":"))
    return [("system", f"{system}\n\nAnswer with one JSON object and nothing else.\nJSON schema: {schema}"), *rest]


def _text(message: "AIMessage") -> str:
    content = message.content
    if isinstance(content, str):
        return content
    return "".join(part if isinstance(part, str) else str(part.get("text", "")) for part in content)
