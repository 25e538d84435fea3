"""How much a model reads at once, as its endpoint tells: what is loaded, its list of models, or a refusal of too much.

Endpoints have no common way to tell it. Each is asked as its servers know; what none tells is not known.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import httpx

from intelli.kit.checked_connections import AddressRefused
from intelli.kit.errors import IntelliError
from intelli.models import connect, offered
from intelli.models.offered import EndpointAddress
from intelli.models.wire import Provider
from intelli.reasoning.adapters import endpoints

_TIMEOUT = httpx.Timeout(20, connect=5)
_LONGEST_S = 30.0
# More than any model writes: vLLM, Mistral, OpenRouter and others refuse it at once, and say what they have.
_TOO_MANY_TOKENS = 20_000_000
_TOLD = (
    re.compile(r"context (?:length|window|size)[^\d]{0,40}(\d[\d,]{2,10})", re.IGNORECASE),
    re.compile(r"(\d[\d,]{2,10})(?: tokens?)? (?:maximum )?context (?:length|window|size)", re.IGNORECASE),
)
_OWN_CONTEXT = re.compile(r"^num_ctx\s+(\d{3,8})\s*$", re.MULTILINE)
# Servers that answer at /props as llama.cpp does; of an unnamed one it cannot be known before.
_WITH_PROPS = frozenset({Provider.LLAMA_CPP, Provider.COMPATIBLE})
_FAILURES = (httpx.HTTPError, AddressRefused, TimeoutError, ValueError, OSError)
Json = Mapping[str, Any]


async def find_context(address: EndpointAddress, name: str, *, allow_private: bool) -> int | None:
    """Ask an endpoint how many tokens a model reads and writes at once; None where it does not tell."""
    async with endpoints.create_client(
        timeout=_TIMEOUT, headers=address.headers(), is_guarded=not allow_private
    ) as client:
        return (
            await _find_loaded(client, address, name)
            or await _find_listed(address, name, allow_private=allow_private)
            or await _find_refused(client, address, name)
        )


def parse_refusal(text: str) -> int | None:
    """Return the context that a refusal of too many tokens states; None where it states none."""
    found = next((match for pattern in _TOLD if (match := pattern.search(text))), None)
    return offered.parse_tokens(int(found[1].replace(",", ""))) if found else None


async def _find_loaded(client: httpx.AsyncClient, address: EndpointAddress, name: str) -> int | None:
    """Return what a server on a machine of one's own gives the model, which is mostly less than it could read."""
    root = address.base_url.removesuffix("/v1")
    if address.provider is Provider.OLLAMA:
        told = await _get(client, f"{root}/api/ps")
        loaded = [row for row in told.get("models") or () if name in {row.get("name"), row.get("model")}]
        if loaded and (tokens := offered.parse_tokens(loaded[0].get("context_length"))):
            return tokens
        shown = await _get(client, f"{root}/api/show", {"model": name})
        own = _OWN_CONTEXT.search(str(shown.get("parameters") or ""))
        return offered.parse_tokens(int(own[1])) if own else None
    if address.provider in _WITH_PROPS:
        served = (await _get(client, f"{root}/props")).get("default_generation_settings")
        return offered.parse_tokens(served.get("n_ctx")) if isinstance(served, dict) else None
    return None


async def _find_listed(address: EndpointAddress, name: str, *, allow_private: bool) -> int | None:
    try:
        reached = await connect.reach(address, allow_private=allow_private)
    except IntelliError:
        # It has answered a moment ago: what cannot be listed is not known.
        return None
    return next((each.context_tokens for each in reached.models or () if each.name == name), None)


async def _find_refused(client: httpx.AsyncClient, address: EndpointAddress, name: str) -> int | None:
    """Ask for more than any model writes. Servers that do not refuse that give a reply of a word."""
    asked = {"role": "user", "content": "Say hello."}
    body = {"model": name, "messages": [asked], "max_tokens": _TOO_MANY_TOKENS}
    try:
        async with asyncio.timeout(_LONGEST_S):
            answer = await client.post(f"{address.base_url}/chat/completions", json=body)
    except _FAILURES:
        return None
    return None if answer.is_success else parse_refusal(answer.text)


async def _get(client: httpx.AsyncClient, url: str, body: Json | None = None) -> Json:
    """Return the JSON object at an address, or what it answers to a body; empty for anything else."""
    try:
        async with asyncio.timeout(_LONGEST_S):
            told = (await (client.get(url) if body is None else client.post(url, json=body))).json()
    except _FAILURES:
        return {}
    return told if isinstance(told, dict) else {}
