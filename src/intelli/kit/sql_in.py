"""SQL condition `column = any(array)`: one parameter for all values, where `in` has one each and is slow to compile."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, any_, literal
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute


def in_values(column: InstrumentedAttribute[Any], values: Iterable[object]) -> ColumnElement[bool]:
    """Build the condition that the column has one of the values."""
    return column == any_(literal(list(values), ARRAY(column.type)))
