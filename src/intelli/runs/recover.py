"""Recovering runs whose wake-up was lost: they are woken again, or given up when they keep killing their worker."""

import structlog

from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.runs import approvals, journal, replies
from intelli.runs.events import RunFailed
from intelli.runs.store import runs as store
from intelli.runs.wake import wake
from intelli.runs.wire import RunStatus

_SILENT_S = 60
_WAITING_S = 900
_MOST_EPOCHS = 40
_CODE = "run_given_up"
_WORDS = "The run was begun many times and never came to an end. Ask in another way, or for less at once."
log = structlog.get_logger()


async def recover(tx: Tx) -> None:
    """Wake the stranded runs of a workspace."""
    for stranded in await store.stranded(tx, silent_s=_SILENT_S, waiting_s=_WAITING_S):
        log.warning("run_stranded", run_id=str(stranded.id), epoch=stranded.epoch)
        if stranded.epoch < _MOST_EPOCHS:
            await wake(tx, stranded.id)
            await store.change(tx, stranded.id)
        else:
            await _give_up(tx, stranded)


async def _give_up(tx: Tx, stranded: store.Stranded) -> None:
    run = await store.hold(tx, stranded.id)
    if run is None or run.epoch != stranded.epoch:
        return
    await store.change(
        tx,
        run.id,
        status=RunStatus.FAILED,
        epoch=run.epoch + 1,
        error_code=_CODE,
        error_message=_WORDS,
        agent_response=await replies.break_off(tx, run, _WORDS),
        finished_at=clock.now(),
        lease_job=None,
        lease_until=None,
    )
    await approvals.close(tx, run)
    await journal.append(tx, run.id, (RunFailed(error_type=_CODE, error_message=_WORDS), f"error:{run.retry_count}"))
