"""Errors of entities."""

from intelli.kit.errors import Invalid, NotFound


class EntityNotFound(NotFound):
    """There is no such entity, or it is another person's."""

    code = "entity_not_found"


class InvalidMetadata(Invalid):
    """The metadata does not fit the type of the entity."""

    code = "invalid_metadata"
