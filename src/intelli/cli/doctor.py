"""`intelli doctor`: checks everything that a start depends on, and prints a remedy for each problem."""

import typer

from intelli.cli import output
from intelli.cli.error_exit import ExitCode
from intelli.cli.options import AsJson, Data

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def doctor(data: Data = None, as_json: AsJson = False) -> None:
    """Examine this installation: machine, settings, data directory, port, database, migrations, blobs, UI, worker.

    Each finding is ok, warn or fail, with a remedy; one fail makes the command end with 1. Nothing is changed. It may
    run while the product does; when it does not, the embedded database is started for the examination and stopped.
    """
    from intelli.cli import doctor_checks, doctor_result

    findings = doctor_checks.examine(data)
    failed = any(finding.status is doctor_result.CheckStatus.FAIL for finding in findings)
    if as_json:
        output.write_json({"ok": not failed, "findings": findings})
    else:
        rows = [(finding.status, finding.name, finding.found, finding.remedy or "") for finding in findings]
        output.table(("", "what", "found", "remedy"), rows, colours=_COLOURS)
    if failed:
        raise typer.Exit(ExitCode.FAILED)
