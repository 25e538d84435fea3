"""Reach an endpoint: it is asked for its models before anything is kept, outside of any transaction."""

import asyncio
import re
import ssl
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import httpx

from intelli.kit import checked_connections
from intelli.kit.checked_connections import AddressRefused, HostUnknown
from intelli.models import offered, providers
from intelli.models.errors import ModelAddressRefused, ModelKeyNeeded, ModelKeyRefused, ModelUnreachable
from intelli.models.offered import EndpointAddress
from intelli.models.wire import OfferedModel, Provider
from intelli.reasoning.adapters import endpoints

_ANSWER_S = 15.0
_TIMEOUT = httpx.Timeout(10, connect=5)
# Names under which clouds hand out credentials to their machines.
_METADATA_NAMES = frozenset({"metadata", "metadata.google.internal", "metadata.goog", "instance-data"})
_VERSIONED = re.compile(r"/v\d{1,3}(?:beta|alpha)?\d{0,2}(?:/|$)")
_NO_LIST = frozenset({404, 405})
_KEY_REFUSED = frozenset({401, 403})
# Where a list of models is open to all, and another address tells whether the key is right.
_KEY_PATHS = {Provider.OPENROUTER: "/key"}
_HOW_TO_WRITE = "Give a full address that begins with http:// or https://, such as https://models.example.org/v1."


@dataclass(frozen=True, slots=True)
class ReachedEndpoint:
    """An endpoint that answered: its address, corrected if need be, and its models; None where it lists none."""

    address: EndpointAddress
    models: tuple[OfferedModel, ...] | None


async def reach(address: EndpointAddress, *, allow_private: bool) -> ReachedEndpoint:
    """Ask an endpoint for its models.

    Raises ModelAddressRefused, ModelKeyNeeded, ModelKeyRefused or ModelUnreachable.
    """
    if address.key is None and providers.needs_key(address.provider):
        raise ModelKeyNeeded("This provider asks for a key. Enter the one that it gave you.")
    await check_address(address.base_url, allow_private=allow_private)
    try:
        async with (
            asyncio.timeout(_ANSWER_S),
            endpoints.create_client(
                timeout=_TIMEOUT, headers=address.headers(), is_guarded=not allow_private
            ) as client,
        ):
            return await _ask(client, address)
    except AddressRefused as refused:
        raise _unreachable(address, refused.detail) from None
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError, ssl.SSLError, UnicodeError):
        raise _unreachable(address, "Check the address, and that its server is running.") from None


async def check_address(base_url: str, *, allow_private: bool) -> None:
    """Raise ModelAddressRefused for an address that no model may have, ModelUnreachable when no host has the name."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise ModelAddressRefused(_HOW_TO_WRITE) from None
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment:
        raise ModelAddressRefused(_HOW_TO_WRITE)
    if parts.username or parts.password:
        raise ModelAddressRefused("Leave user name and password out of the address, and enter the key as the key.")
    if host.rstrip(".").lower() in _METADATA_NAMES:
        raise ModelAddressRefused("This address belongs to the machine or its cloud, and is never asked.")
    try:
        await checked_connections.resolve(host, port, allow_private=allow_private, setting=endpoints.PRIVATE_ALLOWED_BY)
    except HostUnknown:
        # Behind a proxy, names of the world may be known to the proxy alone; there nothing is reached around it.
        if not allow_private:
            raise ModelUnreachable(f"No host has the name {host}. Check the address.") from None
    except AddressRefused as refused:
        raise ModelAddressRefused(refused.detail.replace("fetched", "asked")) from None
    except (OSError, TimeoutError, UnicodeError):
        raise ModelUnreachable(f"The name {host} cannot be looked up now. Check the address, or try again.") from None


async def _ask(client: httpx.AsyncClient, address: EndpointAddress) -> ReachedEndpoint:
    first = await client.get(f"{address.base_url}/models")
    listed = offered.parse_list(first)
    if listed is None and not _VERSIONED.search(urlsplit(address.base_url).path):
        versioned = replace(address, base_url=f"{address.base_url}/v1")
        second = await client.get(f"{versioned.base_url}/models")
        if offered.parse_list(second) is not None or second.status_code in _KEY_REFUSED:
            first, listed, address = second, offered.parse_list(second), versioned
    await _check_key(client, address, first)
    if listed is not None:
        return ReachedEndpoint(address, listed.models)
    if first.status_code in _NO_LIST and await _takes_chat(client, address):
        return ReachedEndpoint(address, None)
    raise _unreachable(
        address,
        f"It answered {first.status_code}, and not as a model's endpoint does. Give the address up to and with its "
        "version, such as https://models.example.org/v1, without the path of a method.",
    )


async def _takes_chat(client: httpx.AsyncClient, address: EndpointAddress) -> bool:
    """Return whether an endpoint without a list of models has the method that models are asked by.

    It is asked without a message: that is refused by all that know the method, and costs nothing.
    """
    response = await client.post(f"{address.base_url}/chat/completions", json={"model": "", "messages": []})
    await _check_key(client, address, response)
    if response.status_code not in _NO_LIST:
        return True
    # Some refuse an unknown model with the status of an unknown path; of the two they speak of the model only then.
    try:
        told = response.json()
    except ValueError:
        return False
    return isinstance(told, dict) and "model" in str(told.get("error", "")).lower()


async def _check_key(client: httpx.AsyncClient, address: EndpointAddress, response: httpx.Response) -> None:
    path = _KEY_PATHS.get(address.provider)
    if path is not None and response.is_success:
        response = await client.get(f"{address.base_url}{path}")
    if response.status_code not in _KEY_REFUSED:
        return
    if address.key is None:
        raise ModelKeyRefused("The endpoint asks for a key. Enter the one that its provider gave you.")
    raise ModelKeyRefused("The endpoint refuses this key. Check that it was copied whole and is still valid.")


def _unreachable(address: EndpointAddress, remedy: str) -> ModelUnreachable:
    return ModelUnreachable(f"No model's endpoint answers at {address.base_url}. {remedy}")
