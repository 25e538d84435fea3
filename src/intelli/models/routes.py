"""Routes for models: what is in use, endpoints, models, tests, and what is found on this machine."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from intelli.kit.context import Scope, UserContext
from intelli.kit.db import Database
from intelli.kit.errors import IntelliError
from intelli.kit.http import Admin, Db, OnceOnly, Reader, part
from intelli.models import connect, discover, endpoint_changes, model_changes, providers, show, wire
from intelli.models.connect import ReachedEndpoint
from intelli.models.offered import EndpointAddress
from intelli.models.ports import InstallationModels

router = APIRouter(tags=["models"])
Installation = Annotated[InstallationModels, Depends(part(InstallationModels))]


@router.get("/models")
async def show_models(who: Reader, db: Db, installation: Installation) -> wire.Models:
    """The models of the workspace, and which of them answer now."""
    async with db.begin(who) as tx:
        return await show.show_models(tx, installation, with_hints=who.may(Scope.ADMIN))


@router.get("/models/providers")
async def list_providers(who: Reader) -> list[wire.ProviderPreset]:
    """The providers that are known by name."""
    return list(providers.PRESETS)


@router.get("/models/found")
async def find_servers(who: Admin, db: Db, installation: Installation) -> wire.FoundServers:
    """Look for model servers on this machine: Ollama, LM Studio, llama.cpp, vLLM."""
    async with db.begin(who) as tx:
        known = await show.list_endpoints(tx)
    places = installation.places if installation.allow_private else ()
    return await discover.discover(places, own_port=installation.own_port, known=known)


@router.post("/models/endpoints", status_code=201)
async def connect_endpoint(
    body: wire.NewEndpoint, who: Admin, db: Db, once: OnceOnly, installation: Installation
) -> wire.Endpoint:
    """Connect a provider by address and key. One that refuses the key or does not answer is not kept."""
    reached = await connect.reach(endpoint_changes.address_of(body), allow_private=installation.allow_private)
    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Endpoint, lambda: endpoint_changes.keep(tx, reached))


@router.patch("/models/endpoints/{endpoint_id}")
async def change_endpoint(
    endpoint_id: UUID, body: wire.ChangeEndpoint, who: Admin, db: Db, installation: Installation
) -> wire.Endpoint:
    """Give an endpoint another address or key."""
    async with db.begin(who) as tx:
        wanted = await endpoint_changes.prepare_change(tx, endpoint_id, body)
    reached = await connect.reach(wanted.address, allow_private=installation.allow_private)
    async with db.begin(who) as tx:
        return await endpoint_changes.change(tx, wanted, reached)


@router.delete("/models/endpoints/{endpoint_id}", status_code=204)
async def remove_endpoint(endpoint_id: UUID, who: Admin, db: Db) -> None:
    """Forget an endpoint, its key and its models."""
    async with db.begin(who) as tx:
        await endpoint_changes.remove(tx, endpoint_id)


@router.get("/models/endpoints/{endpoint_id}/offered")
async def list_offered(endpoint_id: UUID, who: Admin, db: Db, installation: Installation) -> list[wire.OfferedModel]:
    """Ask an endpoint which models it offers."""
    return list((await _reach_kept(db, who, endpoint_id, installation)).models or ())


@router.post("/models", status_code=201)
async def add_model(body: wire.NewModel, who: Admin, db: Db, once: OnceOnly, installation: Installation) -> wire.Model:
    """Add a model of an endpoint and test it."""
    told = await _find_context(db, who, body, installation)
    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Model, lambda: model_changes.add(tx, body, told_context=told))


@router.patch("/models/{model_id}")
async def change_model(model_id: UUID, body: wire.ChangeModel, who: Admin, db: Db) -> wire.Model:
    """Change a model's role, limits or prices."""
    async with db.begin(who) as tx:
        return await model_changes.change(tx, model_id, body)


@router.delete("/models/{model_id}", status_code=204)
async def remove_model(model_id: UUID, who: Admin, db: Db) -> None:
    """Forget a model."""
    async with db.begin(who) as tx:
        await model_changes.remove(tx, model_id)


@router.post("/models/{model_id}/test", status_code=202)
async def test_model(model_id: UUID, who: Admin, db: Db) -> wire.Model:
    """Begin a test of what the model can do; `test` of the model tells how far it is."""
    async with db.begin(who) as tx:
        return await model_changes.test_again(tx, model_id)


async def _reach_kept(
    db: Database, who: UserContext, endpoint_id: UUID, installation: InstallationModels
) -> ReachedEndpoint:
    async with db.begin(who) as tx:
        row = await show.get_endpoint_row(tx, endpoint_id)
        key = endpoint_changes.load_key(tx, row)
    address = EndpointAddress(wire.Provider(row.provider), row.base_url, key)
    return await connect.reach(address, allow_private=installation.allow_private)


async def _find_context(
    db: Database, who: UserContext, body: wire.NewModel, installation: InstallationModels
) -> int | None:
    """Ask the endpoint what a model can read; None where that is given, or the endpoint does not tell."""
    async with db.begin(who) as tx:
        await show.get_endpoint_row(tx, body.endpoint_id)
    if body.context_tokens is not None:
        return None
    try:
        models = (await _reach_kept(db, who, body.endpoint_id, installation)).models or ()
    except IntelliError:
        # That an endpoint does not answer now is told by the test.
        return None
    return next((each.context_tokens for each in models if each.name == body.name), None)
