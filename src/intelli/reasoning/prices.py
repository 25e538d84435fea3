"""Exact prices of tokens: a table by model that settings override. A model on a private network is free."""

import ipaddress
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from intelli.reasoning.errors import ModelRefused
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.usage import Usage

# A dated release costs what its model costs: gpt-4o-2024-08-06.
_RELEASE = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{4}|\d{8}|latest)$")
# Dollars for a million tokens into cents for one.
_SHIFT = -4


@dataclass(frozen=True, slots=True)
class Price:
    """Price in US dollars for a million tokens."""

    input: Decimal
    output: Decimal

    def usage(self, model: str, *, input_tokens: int, output_tokens: int, is_estimated: bool = False) -> Usage:
        """Compute the usage of one call."""
        return Usage(
            model=model,
            calls=1,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            input_cost=(self.input * input_tokens).scaleb(_SHIFT),
            output_cost=(self.output * output_tokens).scaleb(_SHIFT),
            is_estimated=is_estimated,
        )


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by model, and the day they were last checked."""

    known_on: date
    models: Mapping[str, Price]

    def find(self, name: str) -> Price | None:
        """Find the price of a model or of a dated release of it; None when it is unknown."""
        return self.models.get(_RELEASE.sub("", name.rsplit("/", 1)[-1]))


def get_price(settings: ModelSettings) -> Price:
    """Return the price by settings, else by table, else 0 on a private network; raise ModelRefused when unknown."""
    found = find_price(settings)
    if found is None:
        name = settings.name or ""
        raise ModelRefused(
            f"What {name} costs is not known, so no budget could hold. "
            "Set model.input_price and model.output_price in US dollars for a million tokens; 0 if it is free.",
            usage=Usage(model=name),
        )
    return found


def find_price(settings: ModelSettings) -> Price | None:
    """Find the price of a model by settings, else by table, else 0 on a private network; None when it is unknown."""
    known = load_table().find(settings.name or "")
    if known is None and is_private_address(settings.base_url):
        known = Price(Decimal(0), Decimal(0))
    read = settings.input_price if settings.input_price is not None else known.input if known else None
    written = settings.output_price if settings.output_price is not None else known.output if known else None
    return Price(read, written) if read is not None and written is not None else None


def is_private_address(base_url: str) -> bool:
    """Return whether an address is on this machine or a private network."""
    host = urlsplit(base_url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan"))
    return address.is_private or address.is_loopback


def describe_basis(settings: ModelSettings) -> str:
    """Describe where a model's price comes from, for the user; a price from the table is called unconfirmed."""
    if settings.input_price is not None and settings.output_price is not None:
        return "as you have set it"
    if load_table().find(settings.name or "") is None:
        return "no price set, since it is on your own network"
    return f"by a built-in table of {load_table().known_on}: check it with your provider"


@cache
def load_table() -> PriceTable:
    """Load the bundled price table."""
    read = tomllib.loads(files(__package__).joinpath("prices.toml").read_text(encoding="utf-8"))
    rows = {name: Price(Decimal(row[0]), Decimal(row[1])) for name, row in read["models"].items()}
    return PriceTable(read["known_on"], rows)
