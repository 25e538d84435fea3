"""Conditions on many values, which are one parameter: an `in` has one for each, and costs more to make than to run."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, any_, literal
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute


def among(column: InstrumentedAttribute[Any], values: Iterable[object]) -> ColumnElement[bool]:
    """True of rows whose column has one of the values."""
    return column == any_(literal(list(values), ARRAY(column.type)))
