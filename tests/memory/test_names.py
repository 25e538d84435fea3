"""Names, relations and told times as memory keys them: what is the same is one, and what is not is never."""

from datetime import UTC, datetime

import pytest

from intelli.memory import attributes, names, nodes, partial_dates, relations
from intelli.memory.errors import SchemaInconsistent
from intelli.memory.schema import NodeType, RelationType, Schema, check


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme Corp.", "acme corp"),
        ("\u201cAda\u201d", "Ada"),
        ("Ada's", "Ada"),
        ("the Eiffel Tower", "Eiffel Tower"),
        ("Jean-Luc Picard", "Jean Luc  Picard"),
        ("\uff21\uff24\uff21", "ADA"),
    ],
)
def test_two_ways_to_write_a_name_have_one_key(one: str, other: str):
    assert names.key_of(one) == names.key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Model 1.2", "Model 1-2"),
        ("Unit 7", "Unit 8"),
        ("C++", "C"),
        ("C#", "C++"),
        ("GPT-4", "GPT-5"),
        ("\u6771\u4eac", "\u4eac\u90fd"),
        ("M\u00fcller", "Muller"),
    ],
)
def test_names_of_different_things_never_share_a_key(one: str, other: str):
    assert names.key_of(one) != names.key_of(other)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("Robert Smith", "Robert J. Smith", True),
        ("Rob Smith", "Robert Smith", True),
        ("Acme", "Acme Corp", True),
        ("Unit 7", "Unit 8", False),
        ("Ada Byron", "Bob Byron", False),
        ("Ada", "Ada", False),
    ],
)
def test_only_names_that_may_be_one_are_asked_about(one: str, other: str, near: bool):
    assert nodes.may_be_same(one, other) is near


@pytest.mark.parametrize(
    ("phrase", "key"),
    [
        ("works at", "employer"),
        ("is employed by", "employer"),
        ("WORKS_FOR", "employer"),
        ("moved to", "lives_in"),
        ("costs", "price"),
        ("has the price", "price"),
        ("Advises", "advises"),
        ("--", ""),
    ],
)
def test_many_ways_to_say_a_relation_have_one_key(phrase: str, key: str):
    assert relations.key_of(phrase) == key


def test_what_is_singled_out_has_one_value_at_a_time():
    assert relations.is_functional("favourite_colour")
    assert not relations.is_functional("likes")
    assert Schema(relation_types=[RelationType(name="advises", functional=True)]).is_functional("advises")


@pytest.mark.parametrize(
    ("told", "begins", "ends"),
    [
        ("2024", (2024, 1, 1), (2025, 1, 1)),
        ("2024-12", (2024, 12, 1), (2025, 1, 1)),
        ("2024-02-29", (2024, 2, 29), (2024, 3, 1)),
        ("2024-05-01T10:00:00+02:00", (2024, 5, 1, 8), (2024, 5, 1, 8)),
    ],
)
def test_a_told_time_begins_and_is_over(told: str, begins: tuple[int, ...], ends: tuple[int, ...]):
    assert partial_dates.beginning(told) == datetime(*begins, tzinfo=UTC)  # type: ignore[misc,arg-type]
    assert partial_dates.ending(told) == datetime(*ends, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize("told", [None, "", "soon", "2024-13", "2023-02-29", "9999", "0000", "20245"])
def test_what_is_no_time_is_none(told: str | None):
    assert partial_dates.ending(told) is None


def test_a_reinforced_attribute_stands_until_another_is_said_as_often():
    at = [datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 8)]
    held = attributes.merge({}, {"eyes": "blue"}, at=at[0])
    held = attributes.merge(held, {"eyes": "Blue"}, at=at[1])
    held = attributes.merge(held, {"eyes": "green"}, at=at[2])
    assert attributes.values(held) == {"eyes": "blue"}
    held = attributes.merge(held, {"eyes": "green"}, at=at[3])
    assert attributes.values(held) == {"eyes": "green"}


def test_an_older_word_never_takes_the_place_of_a_newer():
    held = attributes.merge({}, {"eyes": "blue"}, at=datetime(2026, 1, 5, tzinfo=UTC))
    held = attributes.merge(held, {"eyes": "green"}, at=datetime(2026, 1, 1, tzinfo=UTC))
    assert attributes.values(held) == {"eyes": "blue"}


def test_a_schema_whose_exclusion_is_not_declared_is_refused():
    check(Schema(node_types=[NodeType(name="City")], excluded_types=["city"]))
    with pytest.raises(SchemaInconsistent):
        check(Schema(node_types=[NodeType(name="City")], excluded_types=["person"]))
