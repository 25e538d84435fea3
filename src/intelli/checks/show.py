"""Read checks: rows as wire models, as far as their documents are still there."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from intelli.checks import store, wire
from intelli.checks.errors import TextCheckNotFound
from intelli.checks.tables import TextCheck, TextStatement
from intelli.kit import pagination
from intelli.kit.db import Tx
from intelli.kit.wire import Page
from intelli.library import documents

_DERIVED = {"counts", "error", "statements", "text"}


async def get(tx: Tx, check_id: UUID) -> TextCheck:
    """Load a check; raise TextCheckNotFound when the caller has none of this id."""
    row = await store.find(tx, check_id)
    if row is None:
        raise not_found_error()
    return row


async def list_checks(tx: Tx, *, cursor: str | None, limit: int) -> Page[wire.TextCheckSummary]:
    """List a page of checks, newest first."""
    rows = await store.list_page(tx, before=pagination.decode_moment(cursor), limit=limit + 1)
    counts = await store.count_verdicts(tx, (row.id for row in rows))
    return pagination.moment_page(
        rows,
        limit,
        item=lambda row: wire.TextCheckSummary(
            **_columns(wire.TextCheckSummary, row),
            counts=wire.VerdictCounts(**counts.get(row.id, {})),
            error=failure_of(row),
        ),
        moment=lambda row: (row.created_at, str(row.id)),
    )


async def load(tx: Tx, check_id: UUID, *, keep_excerpts: bool) -> wire.TextCheck:
    """Load a check with its text and all statements that are done."""
    row = await get(tx, check_id)
    statements = await load_statements(tx, await store.list_statements(tx, check_id), keep_excerpts=keep_excerpts)
    return wire.TextCheck(
        **_columns(wire.TextCheck, row),
        counts=wire.VerdictCounts(**Counter(each.verdict.value for each in statements)),
        error=failure_of(row),
        text=row.text or "",
        statements=statements,
    )


async def load_statements(tx: Tx, rows: Sequence[TextStatement], *, keep_excerpts: bool) -> list[wire.TextStatement]:
    """Convert statements to wire models. A document that was deleted since is named without its id.

    What was quoted from it is shown only if excerpts are kept.
    """
    named = {UUID(each["document_id"]) for row in rows for each in row.citations if each["document_id"]}
    there = {str(each) for each in await documents.find_existing(tx, named)} if named else set[str]()
    return [_statement(row, there, keep_excerpts=keep_excerpts) for row in rows]


def to_summary(row: TextCheck) -> wire.TextCheckSummary:
    """Convert a check that was just begun or ended to its summary, without the counts of its statements."""
    return wire.TextCheckSummary(
        **_columns(wire.TextCheckSummary, row), counts=wire.VerdictCounts(), error=failure_of(row)
    )


def failure_of(row: TextCheck) -> wire.CheckFailure | None:
    """Return why a check failed, if it did."""
    return wire.CheckFailure(code=row.error_code, message=row.error_message or "") if row.error_code else None


def not_found_error() -> TextCheckNotFound:
    """Create the error for a check that does not exist for the caller."""
    return TextCheckNotFound("There is no such check. List your checks to find it.")


def _statement(row: TextStatement, there: set[str], *, keep_excerpts: bool) -> wire.TextStatement:
    names = wire.TextStatement.model_fields.keys() - {"citations", "calculations"}
    citations = [_as_it_is_now(each, there, keep_excerpts=keep_excerpts) for each in row.citations]
    calculations = [
        {**each, "operands": [_operand(operand, there) for operand in each["operands"]]} for each in row.calculations
    ]
    told = {name: getattr(row, name) for name in names}
    return wire.TextStatement.model_validate({**told, "citations": citations, "calculations": calculations})


def _as_it_is_now(citation: dict[str, Any], there: set[str], *, keep_excerpts: bool) -> dict[str, Any]:
    if citation["document_id"] in there:
        return citation
    return {**citation, "document_id": None, **({} if keep_excerpts else {"quote": "", "section": None})}


def _operand(operand: dict[str, Any], there: set[str]) -> dict[str, Any]:
    return operand if operand["document_id"] in there else {**operand, "document_id": None}


def _columns(model: type[wire.TextCheckSummary], row: TextCheck) -> dict[str, Any]:
    return {name: getattr(row, name) for name in model.model_fields if name not in _DERIVED}
