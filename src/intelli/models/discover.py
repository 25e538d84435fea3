"""Look for model servers on this machine: Ollama, LM Studio, llama.cpp and vLLM, each where it usually listens."""

import asyncio
from collections.abc import Iterable

import httpx

from intelli.models import offered
from intelli.models.offered import ModelList
from intelli.models.ports import ServerPlace
from intelli.models.wire import Endpoint as ConnectedEndpoint
from intelli.models.wire import FoundServer, FoundServers, Provider
from intelli.reasoning.adapters import endpoints

_TIMEOUT = httpx.Timeout(2, connect=0.5)
_LONGEST_S = 4.0
_OWNERS = {"library": Provider.OLLAMA, "llamacpp": Provider.LLAMA_CPP, "vllm": Provider.VLLM}


async def discover(
    places: Iterable[ServerPlace], *, own_port: int, known: Iterable[ConnectedEndpoint] = ()
) -> FoundServers:
    """Ask all places at once for their models; those of which nothing answers so are left out, and our own server."""
    asked = [place for place in places if place.port != own_port]
    ids = {endpoint.base_url: endpoint.id for endpoint in known}
    async with endpoints.create_client(timeout=_TIMEOUT) as client:
        answers = await asyncio.gather(*(_ask(client, place) for place in asked))
    found = [
        FoundServer(
            provider=_provider_of(listed, place),
            base_url=_address_of(place),
            models=list(listed.models),
            endpoint_id=ids.get(_address_of(place)),
        )
        for place, listed in zip(asked, answers, strict=True)
        if listed is not None
    ]
    return FoundServers(items=found, looked_at=[_address_of(place) for place in asked])


async def _ask(client: httpx.AsyncClient, place: ServerPlace) -> ModelList | None:
    try:
        async with asyncio.timeout(_LONGEST_S):
            return offered.parse_list(await client.get(f"{_address_of(place)}/models"))
    except (httpx.HTTPError, TimeoutError, OSError):
        return None


def _address_of(place: ServerPlace) -> str:
    return f"http://{place.host}:{place.port}/v1"


def _provider_of(listed: ModelList, place: ServerPlace) -> Provider:
    """Return who serves the models by their owners; by the place where these do not tell."""
    return next((_OWNERS[owner] for owner in sorted(listed.owners) if owner in _OWNERS), place.provider)
