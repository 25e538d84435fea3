"""Inserts of many rows in one statement, made from the columns of their table."""

import json
from collections.abc import Mapping, Sequence
from functools import cache

from sqlalchemy import Insert, Text, Uuid, bindparam, cast, column, func, insert, select
from sqlalchemy.dialects.postgresql import JSONB

from intelli.kit.tables import Base

Values = Mapping[str, object]


@cache
def insert_all(table: type[Base], columns: tuple[str, ...]) -> Insert:
    """A statement that inserts rows of a tenant with these columns; `bind` gives its parameters.

    The rows are one parameter, in JSON: the statement for a hundred is as short, and as soon prepared, as for one.
    """
    into = Base.metadata.tables[table.__tablename__]
    typed = [column(name, into.columns[name].type) for name in columns]
    given = func.jsonb_to_recordset(cast(bindparam("rows", type_=Text), JSONB)).table_valued(*typed, name="v")
    rows = select(bindparam("tenant", type_=Uuid), *given.render_derived(with_types=True).c)
    return insert(into).from_select(["tenant_id", *columns], rows)


def bind(tenant_id: object, rows: Sequence[Values]) -> dict[str, object]:
    """The parameters of the statement."""
    return {"tenant": tenant_id, "rows": json.dumps(list(rows), default=str)}
