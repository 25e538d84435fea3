"""`intelli verify EXPORT`: checks an exported audit log with the public key alone."""

from pathlib import Path

import typer

from intelli.audit import keys, verify_export
from intelli.audit.verify_export import ExportVerdict
from intelli.cli import output
from intelli.cli.error_exit import ExitCode
from intelli.kit.errors import Invalid


class KeyUnreadable(Invalid):
    """What was given is no public key, nor a file with one."""

    code = "key_unreadable"


def verify(path: Path, key: str | None, *, as_json: bool) -> None:
    """Print whether an export is what was signed; exit with 1 when it is not."""
    public_key = _read_key(key) if key is not None else None
    verdict = verify_export.check(path, public_key=public_key)
    if as_json:
        proof = verdict.proof.model_dump(mode="json") if verdict.proof else None
        output.write_json({"export": str(path), "faults": verdict.faults, "proof": proof, "key_given": key is not None})
    else:
        _print_verdict(path, verdict, key_given=key is not None)
    if verdict.faults:
        raise typer.Exit(ExitCode.FAILED)


def _read_key(given: str) -> str:
    """Parse a key in hexadecimal, or read it from the file of that name; raise KeyUnreadable."""
    text = given.strip().lower()
    if not keys.is_public_key(text):
        try:
            text = Path(given).read_text(encoding="ascii").strip().lower()
        except (OSError, ValueError):
            text = ""
    if not keys.is_public_key(text):
        raise KeyUnreadable(
            "The key must be 64 hexadecimal digits, or a file that holds them. GET /api/v1/audit/key tells it."
        )
    return text


def _print_verdict(path: Path, verdict: ExportVerdict, *, key_given: bool) -> None:
    for fault in verdict.faults:
        output.line(f"broken: {path.name}: {fault}")
    proof = verdict.proof
    if verdict.faults or proof is None:
        output.line(f"{path.name} is not what was exported.")
        return
    what = f"all {proof.entries} entries" if not proof.filters else f"{proof.entries} of {proof.log_seq} entries"
    output.line(
        f"{path.name} is whole: {what} of workspace {proof.tenant_id}, signed {proof.signed_at:%Y-%m-%d %H:%M} UTC."
    )
    if proof.filters:
        filters = ", ".join(f"{name} {value}" for name, value in proof.filters.items())
        output.line(f"Only those with {filters} are in it; that none of these is left out rests on who signed it.")
    if not key_given:
        output.line(
            f"Signed by {proof.public_key}, the key that the file names itself. Name the installation's key with --key "
            "to know that it was made there."
        )
