"""Prices: exact, from the settings or the table, and never guessed."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.reasoning import prices
from intelli.reasoning.errors import ModelRefused
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.prices import Price
from intelli.reasoning.usage import Usage


@pytest.mark.parametrize("name", ["gpt-4o-mini", "gpt-4o-mini-2024-07-18", "openai/gpt-4o-mini", "gpt-4o-mini-latest"])
def test_a_known_model_and_its_releases_are_priced_by_the_table(name: str) -> None:
    assert prices.get_price(ModelSettings(name=name)) == Price(Decimal("0.15"), Decimal("0.60"))


def test_settings_override_the_table_each_for_itself() -> None:
    settings = ModelSettings(name="gpt-4o", input_price=Decimal("1.111"))

    assert prices.get_price(settings) == Price(Decimal("1.111"), Decimal("10.00"))


@pytest.mark.parametrize(
    "base_url",
    [
        "http://127.0.0.1:8080/v1",
        "http://localhost:11434/v1",
        "http://10.1.2.3/v1",
        "http://[::1]/v1",
        "http://ollama/v1",
    ],
)
def test_a_model_of_one_s_own_is_free(base_url: str) -> None:
    assert prices.get_price(ModelSettings(name="llama", base_url=base_url)) == Price(Decimal(0), Decimal(0))


@pytest.mark.parametrize("name", ["unknown", "gpt-4o-mini-audio", "gpt-4"])
def test_an_unknown_price_is_asked_for_and_not_guessed(name: str) -> None:
    with pytest.raises(ModelRefused, match=r"model\.input_price"):
        prices.get_price(ModelSettings(name=name, base_url="https://models.example.org/v1"))


def test_where_a_price_is_from_is_told() -> None:
    assert "check it with your provider" in prices.describe_basis(ModelSettings(name="gpt-4o"))
    assert str(prices.load_table().known_on) in prices.describe_basis(
        ModelSettings(name="gpt-4o", input_price=Decimal(1))
    )
    set_by_hand = ModelSettings(name="gpt-4o", input_price=Decimal(1), output_price=Decimal(2))
    assert prices.describe_basis(set_by_hand) == "as you have set it"
    own = ModelSettings(name="llama", base_url="http://localhost:11434/v1")
    assert prices.describe_basis(own).startswith("no price set")


@given(st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**7)), max_size=30))
def test_the_cost_of_many_calls_is_the_cost_of_their_tokens_to_the_last_digit(calls: list[tuple[int, int]]) -> None:
    price = Price(Decimal("0.15"), Decimal("0.60"))
    total = Usage(model="m")
    for given_tokens, written in calls:
        total += price.usage("m", input_tokens=given_tokens, output_tokens=written)

    read, wrote = sum(each[0] for each in calls), sum(each[1] for each in calls)
    assert total.cost * 10_000 == Decimal("0.15") * read + Decimal("0.60") * wrote
    assert total.calls == len(calls)


def test_usage_survives_json_exactly() -> None:
    usage = Price(Decimal("0.15"), Decimal("0.60")).usage("m", input_tokens=1_234_567, output_tokens=89)

    assert Usage.model_validate_json(usage.model_dump_json()) == usage
