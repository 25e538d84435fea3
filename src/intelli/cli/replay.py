"""`intelli replay`: replays a completed run from its recorded steps and compares the answer."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from intelli.cli import output
from intelli.cli.error_exit import ExitCode
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from intelli.runs.replay import ReplayResult


def replay(
    run: Annotated[UUID, typer.Argument(metavar="RUN", help="The id of a completed run.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Replay a completed run without network, keys or writes; end with 1 when its answer is not the same.

    Every step takes what the model or the tool gave when the run was made.
    """
    result = asyncio.run(_replay(data, run))
    if as_json:
        output.write_json({**_fields(result), "is_same": result.is_same})
    else:
        _print_result(result)
    if not result.is_same:
        raise typer.Exit(ExitCode.FAILED)


async def _replay(data: Path | None, run_id: UUID) -> "ReplayResult":
    from intelli.cli import local
    from intelli.identity import installation
    from intelli.kit.context import System, WorkspaceLister
    from intelli.reasoning.adapters.extractive import ExtractiveReasoner
    from intelli.runs import replay as replaying
    from intelli.runs import show as showing
    from intelli.runs.errors import RunNotFound

    max_tasks = local.load(data).budget.max_tasks
    async with local.database(data) as db:
        async with db.begin(WorkspaceLister()) as tx:
            workspace_ids = await installation.list_workspace_ids(tx)
        for workspace_id in workspace_ids:
            try:
                async with db.begin(System(workspace_id)) as tx:
                    recording = await replaying.load(tx, run_id, max_tasks=max_tasks)
            except RunNotFound:
                continue
            return await replaying.replay(recording, ExtractiveReasoner())
    raise showing.not_found()


def _fields(result: "ReplayResult") -> dict[str, object]:
    return {
        "run_id": result.run_id,
        "sha256": result.sha256,
        "recorded_sha256": result.recorded_sha256,
        "steps": result.steps,
        "different": result.different,
        "changed": result.changed,
        "answer": result.answer,
    }


def _answer_lines(answer: str) -> list[str]:
    """Return the lines of the answer with numbered citations."""
    from intelli.cli import answer_printer

    return answer_printer.unescape_markdown(answer_printer.CitationNumbers().replace_citations(answer)).split("\n")


def _print_result(result: "ReplayResult") -> None:
    from intelli.cli import wrap

    for line in wrap.fold(_answer_lines(result.answer), wrap.line_width()):
        output.line(line)
    output.line("")
    is_same = result.sha256 == result.recorded_sha256
    verdict = "The answer is the same" if is_same else "The answer is NOT the same"
    output.line(f"{verdict}: {result.steps} recorded steps, SHA-256 {result.sha256}.")
    for kind in result.changed:
        output.line(f"The deliverable {kind} came out otherwise.")
    for step in result.different:
        output.line(f"The step {step} was asked something else than when it was recorded.")
