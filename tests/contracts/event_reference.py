"""The reference page of the events, made from their JSON Schema."""

from collections.abc import Iterator
from typing import Any

from tests.contracts.reference import page, table

Json = dict[str, Any]
_ABOUT = """\
A run tells what it does. `GET /api/v1/runs/{run_id}/stream` sends each event as a server-sent event: `event` is its
type, `data` the object below as JSON, `id` its place in the run's log. Send the last id back as `Last-Event-ID`, and
the stream goes on behind it, without a gap and without a repeat. The log stays: who comes later is told the same.

The machine-readable contract is [contracts/events.json](../../contracts/events.json). Fields are only ever added, and
events too: a client passes by what it does not know. Every field below is always there."""
# Part of the HTTP contract as well, and described there.
_ELSEWHERE = {"Message"}
_PLAIN = {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean", "null": "null"}
_FORMATS = {"uuid": "UUID", "date-time": "time (ISO 8601)"}


def events_page(schema: Json) -> str:
    """Every event with its fields, and below them the types of these fields."""
    types = schema["$defs"]
    events = [types[_name(choice)] for choice in schema["oneOf"]]
    inner = list(dict.fromkeys(name for event in events for name in _inner(types, event)))
    parts = [
        table("event", "what it says", rows=[_line(event) for event in events]),
        *(_section(f"`{_title(event)}`", event) for event in events),
        "# Types\n",
        *(_section(name, types[name]) for name in inner),
    ]
    return page("Events", _ABOUT, "\n".join(parts))


def _title(event: Json) -> str:
    return str(event["properties"]["type"]["const"])


def _line(event: Json) -> tuple[str, str]:
    title = _title(event)
    return f"[`{title}`](#{title.lower()})", event["description"].partition("\n\n")[0]


def _section(title: str, schema: Json) -> str:
    text = f"## {title}\n\n{schema['description']}\n"
    if "enum" in schema:
        return text + "\n" + ", ".join(f"`{value}`" for value in schema["enum"]) + "\n"
    fields = [(name, field) for name, field in schema["properties"].items() if name != "type"]
    rows = [(f"`{name}`", _type(field), field.get("description", "")) for name, field in fields]
    return text + ("\n" + table("field", "type", "meaning", rows=rows) if rows else "")


def _inner(types: Json, schema: Json) -> Iterator[str]:
    """Yields the types that a schema is made of, each before those that it is made of itself."""
    for name in _names(schema):
        if name not in _ELSEWHERE and "description" in types[name]:
            yield name
            yield from _inner(types, types[name])


def _names(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield _name(node)
        for value in node.values():
            yield from _names(value)
    if isinstance(node, list):
        for value in node:
            yield from _names(value)


def _name(reference: Json) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _type(schema: Json) -> str:
    """The type of a field in words."""
    match schema:
        case {"$ref": str()}:
            return _linked(_name(schema))
        case {"enum": list(values)}:
            return ", ".join(f"`{value}`" for value in values)
        case {"anyOf": list(choices)}:
            return " or ".join(_type(choice) for choice in choices)
        case {"type": "array", "items": items}:
            return f"list of {_type(items)}"
        case {"type": "object", "additionalProperties": inner}:
            return f"object of {_type(inner)}"
        case {"type": str(plain)}:
            return _FORMATS.get(schema.get("format", ""), _PLAIN[plain])
    raise ValueError(f"no words for {schema}")


def _linked(name: str) -> str:
    if name == "JsonValue":
        return "any JSON"
    if name in _ELSEWHERE:
        return f"`{name}` of [the API](../../contracts/openapi.json)"
    return f"[`{name}`](#{name.lower()})"
