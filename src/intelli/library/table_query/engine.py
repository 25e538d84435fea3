"""The engine that queries run on: DuckDB in memory, without files or network, bounded in memory, threads and time."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal

import duckdb

from intelli.library.errors import TableQueryTooLong
from intelli.library.structure.document_table import ColumnType
from intelli.library.table_query.loaded_table import LoadedTable

TIMEOUT_S = 10.0
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "256MB",
    "threads": 1,
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "max_temp_directory_size": "0KB",
    "lock_configuration": "true",
}
_DIGITS, _PLACES = 38, 9
_TYPES = {ColumnType.DATE: "date", ColumnType.TEXT: "varchar", ColumnType.PERIOD: "varchar"}


class QueryEngine:
    """Tables of one query, as `t0` and `t1`: a column `r` with the number of the row, and `c0`, `c1`, ... ."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def load(self, name: str, table: LoadedTable, rows: Sequence[int]) -> None:
        """Create a table with these rows."""
        types = [_column_type(table, at, rows) for at in range(len(table.columns))]
        columns = ", ".join(["r integer", *(f"c{at} {kind}" for at, kind in enumerate(types))])
        self._connection.execute(f"create table {name} ({columns})")
        values: list[object] = [list(rows)]
        for at in range(len(types)):
            cells = (table.cells[row].get(at) for row in rows)
            values.append([None if cell is None or cell.value is None else str(cell.value) for cell in cells])
        picked = ["unnest(?::integer[])", *(f"cast(unnest(?::varchar[]) as {kind})" for kind in types)]
        self._connection.execute(f"insert into {name} select {', '.join(picked)}", values)  # our own names

    def run(self, sql: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        """Run a statement and return its rows. Raises TableQueryTooLong when time or memory run out."""
        stop = threading.Timer(TIMEOUT_S, self._connection.interrupt)
        stop.start()
        try:
            return self._connection.execute(sql, list(values)).fetchall()
        except (duckdb.InterruptException, duckdb.OutOfMemoryException) as error:
            raise TableQueryTooLong("This question takes too long. Ask for fewer rows or columns.") from error
        finally:
            stop.cancel()


@contextmanager
def open_engine() -> Iterator[QueryEngine]:
    """Open an engine for one query, and close it after the block."""
    connection = duckdb.connect(":memory:", config=_CONFIG)
    try:
        yield QueryEngine(connection)
    finally:
        connection.close()


def _column_type(table: LoadedTable, at: int, rows: Sequence[int]) -> str:
    """Return the type of a column in the engine; numbers are exact where their digits allow."""
    kind = table.columns[at].type
    if kind is not ColumnType.NUMBER:
        return _TYPES[kind]
    values = (cell.value for row in rows if (cell := table.cells[row].get(at)) is not None)
    is_exact = all(_is_exact(value) for value in values if isinstance(value, Decimal))
    return f"decimal({_DIGITS}, {_PLACES})" if is_exact else "double"


def _is_exact(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    # Sums have more digits than what they add up.
    return isinstance(exponent, int) and exponent >= -_PLACES and value.adjusted() < _DIGITS - _PLACES - 10
