"""Schema of a group's graph: declared node and relation types, and excluded types.

The request model validates the shape; `check` validates consistency before anything is written with the schema.
"""

from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints

from intelli.kit.wire import Request
from intelli.memory import relations
from intelli.memory.errors import SchemaInconsistent

TypeName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
Words = Annotated[str, StringConstraints(max_length=500)]
GENERIC = "entity"
KINDS = ("person", "organisation", "place", "product", "event", "concept")
# Fields that every node has: an attribute of that name would hide them.
_RESERVED = frozenset({"id", "name", "group_id", "labels", "summary", "created_at", "attributes", "merged_into"})


class NodeType(Request):
    """A kind of thing that the group is about."""

    name: TypeName
    description: Words = ""
    attributes: list[TypeName] = Field([], max_length=50)


class RelationType(Request):
    """A relation that may be kept; a functional one has one value at a time. `sources` and `targets` are node types."""

    name: TypeName
    description: Words = ""
    functional: bool = False
    sources: list[TypeName] = Field([], max_length=50)
    targets: list[TypeName] = Field([], max_length=50)


class Schema(Request):
    """Without node types all kinds of things are kept, without relation types all relations."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "node_types": [{"name": "person"}, {"name": "product"}],
                    "relation_types": [{"name": "uses", "sources": ["person"], "targets": ["product"]}],
                }
            ]
        }
    )

    node_types: list[NodeType] = Field([], max_length=100)
    relation_types: list[RelationType] = Field([], max_length=200)
    excluded_types: list[TypeName] = Field([], max_length=100)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds to extract, excluded ones too: a thing must be recognised as such to be left out."""
        declared = tuple(each.name for each in self.node_types) or KINDS
        return tuple(dict.fromkeys((*declared, GENERIC)))

    def kind_of(self, name: str) -> str | None:
        """Return the declared kind of this name in any case, else the generic kind; None when it is excluded."""
        excluded = {each.casefold() for each in self.excluded_types}
        known = {kind.casefold(): kind for kind in self.kinds}
        kind = known.get(name.casefold(), GENERIC)
        return None if kind.casefold() in excluded else kind

    @property
    def relations(self) -> tuple[str, ...]:
        """Keys of the allowed relations; empty allows all."""
        return tuple(relations.key_of(each.name) for each in self.relation_types)

    def is_functional(self, relation: str) -> bool:
        """Return True when a thing has one value of the relation at a time."""
        declared = {relations.key_of(each.name): each.functional for each in self.relation_types}
        return declared.get(relation, False) or relations.is_functional(relation)

    def allows(self, relation: str, *, source: str, target: str | None) -> bool:
        """Return True when the relation is allowed between things of these kinds; `target` is None for a text."""
        if not self.relation_types:
            return True
        found = next((each for each in self.relation_types if relations.key_of(each.name) == relation), None)
        return found is not None and _fits(found.sources, source) and (target is None or _fits(found.targets, target))


def check(schema: Schema) -> None:
    """Raise SchemaInconsistent when declarations are doubled, reserved or refer to undeclared types."""
    names = [each.name.casefold() for each in schema.node_types]
    keys = [relations.key_of(each.name) for each in schema.relation_types]
    _refuse_doubles("node type", names)
    _refuse_doubles("relation type", keys)
    hidden = {attribute for each in schema.node_types for attribute in each.attributes} & _RESERVED
    if hidden:
        raise SchemaInconsistent(f"A node type's attribute cannot be named {min(hidden)!r}: every node has that.")
    known = {*(names or KINDS), GENERIC}
    for kind in schema.excluded_types:
        if kind.casefold() not in known:
            raise SchemaInconsistent("An excluded type is not among the node types. Declare it, or do not exclude it.")
    for relation in schema.relation_types:
        if not relations.key_of(relation.name):
            raise SchemaInconsistent("A relation type needs letters or digits in its name.")
        if any(kind.casefold() not in known for kind in (*relation.sources, *relation.targets)):
            raise SchemaInconsistent("A relation type joins a node type that is not declared. Declare it first.")


def _refuse_doubles(what: str, names: list[str]) -> None:
    if len(names) != len(set(names)):
        raise SchemaInconsistent(f"Two declarations of a {what} have the same name. Keep one of them.")


def _fits(declared: list[str], kind: str) -> bool:
    return not declared or kind.casefold() in {name.casefold() for name in declared}
