"""Recover runs that no worker is working on: wake them again, or give up those that keep killing their worker."""

from dataclasses import dataclass

import structlog

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.deliverables import control
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.runs import approvals, journal, replies
from intelli.runs.events import RunFailed
from intelli.runs.store import runs as store
from intelli.runs.tables import Run
from intelli.runs.wake import wake
from intelli.runs.wire import RunStatus

_SILENT_S = 60
_WAITING_S = 900
_MOST_EPOCHS = 40
_MOST_DEATHS = 2
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why a run is given up."""

    code: str
    words: str


_NO_END = _Reason(
    "run_given_up", "The run was begun many times and never came to an end. Ask in another way, or for less at once."
)
_KILLS_WORKERS = _Reason(
    "run_worker_died",
    "The process that worked on this died, and died again at the same point. Ask in another way, or for less at once.",
)


async def recover(tx: Tx) -> None:
    """Wake the stranded runs of a workspace; give up those that were started too often."""
    for stranded in await store.list_stranded(tx, silent_s=_SILENT_S, waiting_s=_WAITING_S):
        log.warning("run_stranded", run_id=str(stranded.id), epoch=stranded.epoch)
        if stranded.epoch < _MOST_EPOCHS:
            await wake(tx, stranded.id)
            await store.change(tx, stranded.id)
            continue
        run = await store.lock(tx, stranded.id)
        if run is not None and run.epoch == stranded.epoch:
            await _give_up(tx, run, _NO_END)


async def give_up_deadly(tx: Tx, run: Run) -> bool:
    """Give up a run whose worker died twice without progress; return whether it was. The caller has locked it."""
    if run.deaths < _MOST_DEATHS:
        return False
    log.error("run_given_up", run_id=str(run.id), deaths=run.deaths)
    await _give_up(tx, run, _KILLS_WORKERS)
    return True


async def _give_up(tx: Tx, run: Run, reason: _Reason) -> None:
    """Mark a run failed. The text emitted so far becomes its answer, with the reason why it breaks off."""
    await store.change(
        tx,
        run.id,
        status=RunStatus.FAILED,
        epoch=run.epoch + 1,
        error_code=reason.code,
        error_message=reason.words,
        agent_response=await replies.save_broken_off(tx, run, reason.words),
        progress_message="Failed",
        finished_at=clock.now(),
        lease_job=None,
        lease_until=None,
    )
    await control.cancel_of_run(tx, run.id)
    await approvals.cancel_open(tx, run)
    failed = RunFailed(error_type=reason.code, error_message=reason.words)
    await journal.append(tx, run.id, (failed, f"error:{run.retry_count}"))
    await record(tx, EventType.ERROR, run_id=run.id, success=False, code=reason.code)
