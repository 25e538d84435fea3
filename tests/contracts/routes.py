"""The operations of the product, read from the OpenAPI file and never from a list by hand."""

import json
from dataclasses import dataclass
from functools import cache
from secrets import token_hex
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from tests.contracts.generate import OPENAPI

# Who may call these without a credential, and why.
PUBLIC = {
    "show_installation": "a visitor must know whether to sign up or in",
    "register": "nobody has an account before it",
    "sign_in": "nobody has a token before it",
    "refresh": "the refresh token is the credential",
    "sign_out": "the refresh token is the credential; signing out twice is no error",
    "preview_invitation": "the invitation's token is the credential",
    "open_site": "the token in the address is the credential: a frame without rights can send no other",
    "healthz": "for the operator's probes",
    "readyz": "for the operator's probes",
    "metrics": "for the operator's probes",
}
# What is asked with a body and changes nothing, and why.
QUESTIONS = {
    "search_documents": "a question may be too long for an address; the ids in it narrow it",
    "search_memory": "likewise",
    "query_tables": "a question to a table has parts of its own",
}
# What comes to be by being named.
MAKING = {"declare_memory_types"}
Json = dict[str, Any]


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    described: Json
    description: Json

    @property
    def id(self) -> str:
        return str(self.described["operationId"])

    @property
    def is_public(self) -> bool:
        return self.id in PUBLIC

    @property
    def is_change(self) -> bool:
        return self.method not in {"GET", "HEAD"} and self.id not in QUESTIONS

    @property
    def is_stream(self) -> bool:
        return "text/event-stream" in self.described["responses"].get("200", {}).get("content", {})

    @property
    def is_upload(self) -> bool:
        """True when the body is a form with a file."""
        return "multipart/form-data" in self.described.get("requestBody", {}).get("content", {})

    @property
    def takes_body(self) -> bool:
        return "requestBody" in self.described

    @property
    def needs_body(self) -> bool:
        return bool(self.described.get("requestBody", {}).get("required"))

    def parameters(self, place: str) -> dict[str, Json]:
        """The schemas of the parameters in a place: path, query or header."""
        return {
            parameter["name"]: self._plain(parameter["schema"])
            for parameter in self.described.get("parameters", [])
            if parameter["in"] == place
        }

    def needed(self) -> dict[str, str]:
        """Values for the parameters in the query that must be there: numbers, and ids of nothing."""
        found = [each for each in self.described.get("parameters", []) if each["in"] == "query" and each["required"]]
        return {
            each["name"]: str(
                uuid4() if each["schema"].get("format") == "uuid" else max(1, each["schema"].get("minimum", 1))
            )
            for each in found
        }

    def needed_names(self) -> list[str]:
        """The parameters in the query that must be there."""
        described = self.described.get("parameters", [])
        return [each["name"] for each in described if each["in"] == "query" and each["required"]]

    def fields(self) -> dict[str, Json]:
        """The schemas of the body's fields."""
        return {name: self._plain(schema) for name, schema in self._body().get("properties", {}).items()}

    def example(self) -> Json:
        """A body that the description shows."""
        return dict(self._body()["examples"][0]) if self.takes_body else {}

    def sending(self) -> Json:
        """The example as a request carries it."""
        if not self.is_upload:
            return {"json": self.example()}
        fields = self.example()
        return {"files": {"file": ("example.txt", fields.pop("file").encode())}, "data": fields}

    def at(self, values: dict[str, str]) -> str:
        """The path with its parameters filled in; values are quoted already."""
        return self.path.format(**values)

    def _body(self) -> Json:
        if not self.takes_body:
            return {}
        (content,) = self.described["requestBody"]["content"].values()
        return self._plain(content["schema"])

    def _plain(self, schema: Json) -> Json:
        """The schema behind references and `or null`."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self._plain(self.description["components"]["schemas"][name])
        choices = [choice for choice in schema.get("anyOf", []) if choice.get("type") != "null"]
        return self._plain(choices[0]) if len(choices) == 1 else schema


def description() -> Json:
    """The OpenAPI file."""
    found: Json = json.loads(OPENAPI.read_text(encoding="utf-8"))
    return found


@cache
def operations() -> tuple[Operation, ...]:
    """Everything the product answers to."""
    described = description()
    return tuple(
        Operation(method.upper(), path, operation, described)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    )


def quoted(values: dict[str, str]) -> dict[str, str]:
    """Values as they stand in a path."""
    return {name: quote(value, safe="") for name, value in values.items()}


def ids_in(schemas: dict[str, Json]) -> set[str]:
    """Those that name a thing by its id or its hash."""
    return {name for name, schema in schemas.items() if schema.get("format") in {"uuid", "sha256"}}


def is_word(schema: Json) -> bool:
    """True for a name that people choose for a thing, in a path."""
    return "pattern" in schema and "format" not in schema


def is_number(schema: Json) -> bool:
    """True for a number in a path: a part of the thing that was named before it."""
    return schema.get("type") == "integer"


def is_foreign(schema: Json) -> bool:
    """True for an id that somebody else gave, in a form of their own."""
    return schema.get("format") == "external"


def random_name(schema: Json) -> str:
    """A name of the right form for nothing that exists."""
    if is_number(schema):
        return "1"
    return token_hex(32) if schema.get("format") == "sha256" else str(uuid4())


def ids_in_path(operation: Operation) -> set[str]:
    """Every parameter of a path names a thing: by its id, its hash, the words that people chose, or a number in it."""
    named = operation.parameters("path")
    others = {name for name, schema in named.items() if is_word(schema) or is_number(schema) or is_foreign(schema)}
    assert ids_in(named) | others == set(named)
    return set(named)


def things_in_body(operation: Operation) -> dict[str, dict[str, object]]:
    """The schemas of the fields that name a thing which must be there."""
    fields = {} if operation.id in QUESTIONS else operation.fields()
    return {name: fields[name] for name in ids_in(fields)}


def ids_in_body(operation: Operation) -> set[str]:
    """Every field of a body that names a thing."""
    return set(things_in_body(operation))


def random_ids(operation: Operation) -> dict[str, str]:
    """Names of the right form for nothing that exists, for the path."""
    return {name: random_name(schema) for name, schema in operation.parameters("path").items()}
