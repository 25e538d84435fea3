"""Data directory as the first start creates it, built once per test run and copied for each test."""

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
    """Copy a prepared data directory to a path, so that a server need not create and migrate its database."""
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
