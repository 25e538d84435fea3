"""Routes for models: what is in use, endpoints, models, tests, and what is found on this machine."""

from uuid import UUID

from fastapi import APIRouter

from intelli.kit.http import Admin, Db, OnceOnly, Reader
from intelli.models import wire

router = APIRouter(tags=["models"])


@router.get("/models")
async def show_models(who: Reader, db: Db) -> wire.Models:
    """The models of the workspace, and which of them answer now."""
    raise NotImplementedError


@router.get("/models/providers")
async def list_providers(who: Reader) -> list[wire.ProviderPreset]:
    """The providers that are known by name."""
    raise NotImplementedError


@router.get("/models/found")
async def find_servers(who: Admin, db: Db) -> wire.FoundServers:
    """Look for model servers on this machine: Ollama, LM Studio, llama.cpp, vLLM."""
    raise NotImplementedError


@router.post("/models/endpoints", status_code=201)
async def connect_endpoint(body: wire.NewEndpoint, who: Admin, db: Db, once: OnceOnly) -> wire.Endpoint:
    """Connect a provider by address and key. One that refuses the key or does not answer is not kept."""
    raise NotImplementedError


@router.patch("/models/endpoints/{endpoint_id}")
async def change_endpoint(endpoint_id: UUID, body: wire.ChangeEndpoint, who: Admin, db: Db) -> wire.Endpoint:
    """Give an endpoint another address or key."""
    raise NotImplementedError


@router.delete("/models/endpoints/{endpoint_id}", status_code=204)
async def remove_endpoint(endpoint_id: UUID, who: Admin, db: Db) -> None:
    """Forget an endpoint, its key and its models."""
    raise NotImplementedError


@router.get("/models/endpoints/{endpoint_id}/offered")
async def list_offered(endpoint_id: UUID, who: Admin, db: Db) -> list[wire.OfferedModel]:
    """Ask an endpoint which models it offers."""
    raise NotImplementedError


@router.post("/models", status_code=201)
async def add_model(body: wire.NewModel, who: Admin, db: Db, once: OnceOnly) -> wire.Model:
    """Add a model of an endpoint and test it."""
    raise NotImplementedError


@router.patch("/models/{model_id}")
async def change_model(model_id: UUID, body: wire.ChangeModel, who: Admin, db: Db) -> wire.Model:
    """Change a model's role, limits or prices."""
    raise NotImplementedError


@router.delete("/models/{model_id}", status_code=204)
async def remove_model(model_id: UUID, who: Admin, db: Db) -> None:
    """Forget a model."""
    raise NotImplementedError


@router.post("/models/{model_id}/test", status_code=202)
async def test_model(model_id: UUID, who: Admin, db: Db) -> wire.Model:
    """Begin a test of what the model can do; `test` of the model tells how far it is."""
    raise NotImplementedError
