"""A data directory as the first start leaves it, made once for the run and copied for each test that needs one."""

import fcntl
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.process import serving

Install = Callable[[Path], Path]


@pytest.fixture(scope="session")
def install(tmp_path_factory: pytest.TempPathFactory) -> Install:
    """Put a data directory in place, so that a server on it need not make and migrate its database first."""
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "installation"

    def copy(data: Path) -> Path:
        # With its owners: as root, the database belongs to somebody else.
        subprocess.run(["cp", "--archive", _prepare(root), data], check=True, timeout=60)
        return data

    return copy


def _prepare(root: Path) -> Path:
    root.mkdir(exist_ok=True)
    data = root / "data"
    with (root / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / "ready").exists():
            with serving(data):
                pass
            (root / "ready").touch()
    return data
