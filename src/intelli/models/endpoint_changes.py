"""Changes of endpoints: keep, change and remove one. What is kept has answered before."""

from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import SecretStr

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.models import keys, providers, show, start_test, store, wire
from intelli.models.connect import ReachedEndpoint
from intelli.models.errors import ModelKeyNeeded, StaleModelVersion
from intelli.models.offered import EndpointAddress
from intelli.models.tables import ModelEndpoint

_ENTITY = "model_endpoint"


@dataclass(frozen=True, slots=True)
class EndpointChange:
    """A change of an endpoint to ask for and then to write: its address with the key that will hold."""

    endpoint_id: UUID
    expected_version: int
    address: EndpointAddress


def address_of(body: wire.NewEndpoint) -> EndpointAddress:
    """Return the address of a new endpoint: as given, or the provider's own."""
    return EndpointAddress(body.provider, providers.get_address(body.provider, body.base_url), _given(body.api_key))


async def keep(tx: Tx, reached: ReachedEndpoint) -> wire.Endpoint:
    """Keep an endpoint that has answered."""
    endpoint_id, address = uuid7(), reached.address
    values = {"id": endpoint_id, "provider": address.provider, "base_url": address.base_url}
    await store.insert_endpoint(tx, {**values, **_key_columns(tx, address.key)})
    made = await show.get_endpoint(tx, endpoint_id)
    await _record(tx, "model_endpoint_connected", endpoint_id, address.provider)
    return made


async def prepare_change(tx: Tx, endpoint_id: UUID, body: wire.ChangeEndpoint) -> EndpointChange:
    """Return a change with the address to ask. Raises StaleModelVersion, ModelKeyNeeded or ModelKeyUnreadable.

    A kept key goes only to the host that it was entered for.
    """
    row = await show.get_endpoint_row(tx, endpoint_id)
    check_version(row.version, body.expected_version, what="endpoint")
    base_url = providers.trim_address(body.base_url or row.base_url)
    if "api_key" in body.model_fields_set:
        key = _given(body.api_key)
    elif row.api_key is not None and _host(base_url) != _host(row.base_url):
        raise ModelKeyNeeded("Enter the key again: one that is kept is sent only to the address it was entered for.")
    else:
        key = load_key(tx, row)
    return EndpointChange(
        endpoint_id, body.expected_version, EndpointAddress(wire.Provider(row.provider), base_url, key)
    )


async def change(tx: Tx, wanted: EndpointChange, reached: ReachedEndpoint) -> wire.Endpoint:
    """Write a change of an endpoint that has answered. Models behind another address are tested again."""
    row = await show.get_endpoint_row(tx, wanted.endpoint_id, locked=True)
    check_version(row.version, wanted.expected_version, what="endpoint")
    address, before = reached.address, row.base_url
    await store.update_endpoint(tx, row.id, base_url=address.base_url, **_key_columns(tx, address.key))
    if address.base_url != before:
        for each in await store.list_models(tx, endpoint_id=row.id):
            await start_test.start(tx, each.model.id, address.base_url, each.model.name)
    changed = await show.get_endpoint(tx, row.id)
    await _record(tx, "model_endpoint_changed", row.id, address.provider)
    return changed


async def remove(tx: Tx, endpoint_id: UUID) -> None:
    """Delete an endpoint with its key and its models. Raises EndpointNotFound."""
    row = await show.get_endpoint_row(tx, endpoint_id, locked=True)
    provider = wire.Provider(row.provider)
    await store.delete_endpoint(tx, endpoint_id)
    await _record(tx, "model_endpoint_removed", endpoint_id, provider)


def load_key(tx: Tx, row: ModelEndpoint) -> SecretStr | None:
    """Return the key of an endpoint; None without one. Raises ModelKeyUnreadable."""
    return keys.decrypt(row.api_key, tx.secret) if row.api_key else None


def check_version(current: int, expected: int, *, what: str) -> None:
    """Raise StaleModelVersion when a change is based on another version than the current one."""
    if current != expected:
        raise StaleModelVersion(
            f"This {what} is at version {current} now. Reload it and apply your change again.", current=current
        )


def _given(key: SecretStr | None) -> SecretStr | None:
    """Return a key as it was meant: without blanks around it, and none for an empty one."""
    text = key.get_secret_value().strip() if key else ""
    return SecretStr(text) if text else None


def _host(base_url: str) -> tuple[str, str]:
    parts = urlsplit(base_url)
    return parts.scheme, parts.netloc


def _key_columns(tx: Tx, key: SecretStr | None) -> dict[str, object]:
    if key is None:
        return {"api_key": None, "key_hint": None}
    return {"api_key": keys.encrypt(key, tx.secret), "key_hint": keys.hint_of(key)}


async def _record(tx: Tx, change: str, endpoint_id: UUID, provider: wire.Provider) -> None:
    await record(tx, EventType.SETTINGS_CHANGE, entity=(_ENTITY, endpoint_id), change=change, provider=provider)
