"""Background job of checks: reads the text, then judges its statements batch by batch; what is done is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from intelli.checks import judge_batch, read, select, start, store
from intelli.checks.find_passages import PassageFinder
from intelli.checks.ports import CheckReasoners
from intelli.checks.select import SelectedText
from intelli.checks.tables import TextCheck
from intelli.checks.wire import ENDED, TextCheckStatus
from intelli.kit import clock
from intelli.kit.compute import Compute
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.kit.jobs import Job
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.reasoning.reasoners import ReasonerPair

BATCH = 20
_ATTEMPTS = 5
_READING = "Reading the text"
_OURS = "Something went wrong on our side. Check it again."
log = structlog.get_logger()


class _Stopped(Exception):
    """The check was cancelled or deleted while it was at work."""


@dataclass(frozen=True, slots=True)
class _Judging:
    """What all batches of a check are judged with."""

    finder: PassageFinder
    reasoners: ReasonerPair


async def _check(work: Work, *, check_id: str) -> None:
    """The edge: a check ends as completed or as failed with a reason; what did not answer is tried again."""
    try:
        await _run(work, UUID(check_id))
    except _Stopped:
        return
    except LeaseLost:
        raise
    except Exception as error:
        if isinstance(error, TRANSIENT) and work.attempt + 1 < _ATTEMPTS:
            raise
        log.exception("check_failed", check_id=check_id, error=type(error).__name__)
        await _mark_failed(work, UUID(check_id), error)


async def _run(work: Work, check_id: UUID) -> None:
    async with work.begin() as tx:
        row = await _lock_unfinished(tx, check_id)
        begun = {"status": TextCheckStatus.PROCESSING, "started_at": row.started_at or clock.now()}
        await store.update_check(tx, check_id, **begun, message=row.message or _READING)
        reasoners = await work.part(CheckReasoners).find(tx)
    selected = await _select(work, row)
    done = await _begin(work, check_id, selected)
    judging, problems = _Judging(PassageFinder(work, row), reasoners), dict[str, None]()
    for first in range(done, len(selected.statements), BATCH):
        if work.is_stopping():
            await _go_on_elsewhere(work, check_id)
            return
        problems |= dict.fromkeys(await _judge(work, row, selected, first=first, judging=judging))
    async with work.begin() as tx:
        await _lock_unfinished(tx, check_id)
        ended = {"status": TextCheckStatus.COMPLETED, "progress": 1.0, "finished_at": clock.now()}
        await store.update_check(tx, check_id, **ended, message=" ".join(problems))


async def _select(work: Work, row: TextCheck) -> SelectedText:
    """Read the text and find its statements; keep the text, so that the next attempt need not read it again."""
    found = await read.read(work, row)
    compute = work.part(Compute)  # type: ignore[type-abstract]  # found by its type alone
    if isinstance(found, read.PaperToCheck):
        selected = await compute.run(select.select_paper, found.gml, found.language)
        kept: dict[str, object] = {"text": selected.text}
    else:
        selected = await compute.run(select.select, found.text, found.skipped)
        kept = {"text": selected.text, "cited_text": found.text, "skipped": found.skipped}
    start.check_length(selected.text)
    async with work.begin() as tx:
        await _lock_unfinished(tx, row.id)
        await store.update_check(tx, row.id, **kept)
    return selected


async def _begin(work: Work, check_id: UUID, selected: SelectedText) -> int:
    """Note how many statements there are; return how many of them are done.

    When another version of the program counted otherwise, what is done belongs to other statements and is done again.
    """
    total = len(selected.statements)
    async with work.begin() as tx:
        row = await _lock_unfinished(tx, check_id)
        if row.total not in {None, total}:
            await store.delete_statements(tx, check_id)
        done = await store.count_statements(tx, check_id)
        await store.update_check(tx, check_id, total=total, **_progress(done, total))
        return done


async def _judge(work: Work, row: TextCheck, selected: SelectedText, *, first: int, judging: _Judging) -> Sequence[str]:
    """Find passages for a batch of statements, judge them, and write what came of it; return problems of the judge."""
    batch, total = selected.statements[first : first + BATCH], len(selected.statements)
    passages = await judging.finder.find(batch)
    material = await judging.finder.load_material([each for found in passages.values() for each in found])
    compute = work.part(Compute)  # type: ignore[type-abstract]  # found by its type alone
    judged = await judge_batch.judge(
        judge_batch.StatementBatch(row.id, batch, passages, material),
        judging.reasoners,
        compute,
        entailment=work.part(CheckReasoners).entailment,
    )
    async with work.begin() as tx:
        now = await _lock_unfinished(tx, row.id)
        await store.insert_statements(tx, now, judged.rows)
        spent = {
            "model": judged.usage.model or now.model,
            "input_tokens": now.input_tokens + judged.usage.input_tokens,
            "output_tokens": now.output_tokens + judged.usage.output_tokens,
            "cost_cents": now.cost_cents + judged.usage.cost,
        }
        await store.update_check(tx, row.id, **spent, **_progress(first + len(batch), total))
    return judged.problems


async def _go_on_elsewhere(work: Work, check_id: UUID) -> None:
    """Enqueue the rest: this worker stops."""
    async with work.begin() as tx:
        await tx.defer(start.CHECK, key=f"check:{check_id}", check_id=str(check_id))


def _progress(done: int, total: int) -> dict[str, object]:
    return {"progress": done / total if total else 1.0, "message": f"{done} of {total} statements"}


async def _lock_unfinished(tx: Tx, check_id: UUID) -> TextCheck:
    row = await store.find_locked(tx, check_id)
    if row is None or row.status in ENDED:
        raise _Stopped
    return row


async def _mark_failed(work: Work, check_id: UUID, error: Exception) -> None:
    """Mark a check as failed. The stored reason is true and reveals no internals."""
    code = error.code if isinstance(error, IntelliError) else "internal"
    words = error.detail if isinstance(error, IntelliError) else _OURS
    async with work.begin() as tx:
        row = await store.find_locked(tx, check_id)
        if row is None or row.status in ENDED:
            return
        ended = {"status": TextCheckStatus.FAILED, "message": "", "finished_at": clock.now()}
        await store.update_check(tx, check_id, **ended, error_code=code, error_message=words)


CHECK = Job(name=start.CHECK.name, queue=start.CHECK.queue, run=_check, attempts=_ATTEMPTS)
