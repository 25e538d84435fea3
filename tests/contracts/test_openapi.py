"""The description of the API: complete enough to write a client from."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.contracts.routes import PUBLIC, Json, description, operations

# Ids that others gave to their own things.
_NOT_OURS = {
    "external_id",
    *("node_id", "tool_id", "subagent_id", "preview_id", "section_id"),  # steps of a run's graph, by their keys
    *("browser_session_id", "content_artifact_id"),
    "group_id",  # a name that whoever tells memory something chose
}


def test_every_operation_has_a_name_of_its_own_a_summary_a_description_and_a_tag():
    found = operations()
    assert found
    assert [name for name, times in Counter(operation.id for operation in found).items() if times > 1] == []
    for operation in found:
        for word in ("summary", "description", "tags"):
            assert operation.described.get(word), f"{operation.id} has no {word}"


def test_every_operation_tells_its_problems_in_their_own_media_type():
    for operation in operations():
        problems = {
            status: content
            for status, answer in operation.described["responses"].items()
            if status.startswith("4")
            for content in [answer["content"]]
        }
        assert list(problems) == ["4XX"], operation.id
        (media_type,) = problems["4XX"]
        assert media_type == "application/problem+json", operation.id
        assert problems["4XX"][media_type]["schema"] == {"$ref": "#/components/schemas/Problem"}
    assert "HTTPValidationError" not in description()["components"]["schemas"]


def test_every_operation_but_the_public_ones_names_its_credentials():
    for operation in operations():
        assert bool(operation.described.get("security")) is not operation.is_public, operation.id
    assert set(PUBLIC) <= {operation.id for operation in operations()}


def test_every_body_comes_with_an_example():
    missing = [operation.id for operation in operations() if operation.takes_body and not operation.example()]
    assert missing == []


def test_every_id_is_a_uuid():
    for name, schema in _named(description()):
        if name in _NOT_OURS:
            continue
        if name == "id" or name.endswith("_id"):
            assert "uuid" in str(schema), (name, schema)


def test_every_list_has_a_cursor_and_a_limit():
    for operation in operations():
        answer = operation.described["responses"].get("200", {}).get("content", {}).get("application/json", {})
        if "/Page_" in str(answer):
            assert {"cursor", "limit"} <= set(operation.parameters("query")), operation.id


def test_creating_requests_of_people_take_an_idempotency_key():
    """An upload needs none: under its hash it is the same thing however often it comes."""
    for operation in operations():
        is_creating = operation.method == "POST" and "201" in operation.described["responses"]
        if is_creating and not operation.is_public and not operation.is_upload:
            assert "idempotency-key" in {name.lower() for name in operation.parameters("header")}, operation.id


def _named(node: Any) -> Iterator[tuple[str, Json]]:
    """Every property and parameter with its schema."""
    if isinstance(node, dict):
        if isinstance(node.get("name"), str) and "schema" in node and node.get("in") in {"path", "query"}:
            yield node["name"], node["schema"]
        if isinstance(node.get("properties"), dict):
            yield from node["properties"].items()
        for value in node.values():
            yield from _named(value)
    if isinstance(node, list):
        for value in node:
            yield from _named(value)


def test_every_model_has_a_name_of_its_own():
    """Two of one name are told apart by their modules, which are no business of whoever reads the contract."""
    contracts = Path(__file__).parents[2] / "contracts"
    for name in ("openapi.json", "events.json"):
        assert "intelli__" not in (contracts / name).read_text(), name
