"""A reader that was taken over gets nowhere: hostile code inside the real jail, as root and as an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.library.extraction import attacker
from tests.library.extraction.files import docx, paragraph
from tests.support import ordinary

from intelli.kit import confinement, landlock, seccomp
from intelli.kit.confinement import AllowedPaths, Policy
from intelli.kit.postgres import EmbeddedPostgres
from intelli.library.extraction.sandbox import jail

pytestmark = pytest.mark.skipif(not jail.can_confine(), reason="the kernel cannot confine")
_USERS = ["root", "ordinary"]


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that both users reach, with a secret and a file to read."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    (folder / "secret.key").write_text("do not tell")
    (folder / "given.docx").write_bytes(docx(paragraph("all is well")))
    (folder / "given.docx").chmod(0o644)
    yield folder
    shutil.rmtree(folder)


def attack(user: str, mode: str, place: Path, database: str = "/nowhere") -> dict[str, str]:
    if user == "root" and os.geteuid() != 0:
        pytest.skip("we are not root")
    if user == "ordinary":
        if not ordinary.can_run():
            pytest.skip("there is no way to be an ordinary user here")
        ordinary.give(place / "secret.key")
    command = [
        sys.executable,
        str(attacker.__file__),
        mode,
        str(place / "given.docx"),
        str(place / "secret.key"),
        database,
    ]
    if user == "ordinary":
        done = ordinary.run(command)
    else:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout, done.stderr
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("user", _USERS)
def test_hostile_code_in_a_child_finds_every_way_closed(user: str, place: Path):
    found = attack(user, "report", place)
    assert [name for name, outcome in found.items() if outcome == "open"] == []
    assert len(found) > 80
    assert (place / "secret.key").read_text() == "do not tell"


def test_the_same_code_finds_ways_open_where_it_is_not_confined(place: Path):
    found = {name for name, outcome in attack("root", "free", place).items() if outcome == "open"}
    assert {"read /etc/passwd", f"read {place}/secret.key", "reopen by descriptor"} <= found
    assert {"call ptrace", "call unshare", "call pidfd_open", "call memfd_create", "call setsid"} <= found


@pytest.mark.parametrize(
    ("mode", "refusal"),
    [("other abi", "crashed"), ("sleep", "timeout"), ("garbage", "hostile"), ("bomb", "hostile")],
)
def test_a_child_that_leaves_its_rules_costs_only_its_file(mode: str, refusal: str, place: Path):
    assert attack(_USERS[bool(os.geteuid())], mode, place)["refusal"] == refusal


def test_the_socket_of_the_database_is_out_of_reach_for_the_user_that_owns_it(place: Path, tmp_path: Path):
    with EmbeddedPostgres(tmp_path) as postgres:
        socket = postgres._cluster.socket_dir / ".s.PGSQL.5432"
        assert socket.exists()
        assert attack("root", "report", place, str(socket))["database"] != "open"


@pytest.mark.parametrize("version", range(1, 9))
def test_every_version_of_landlock_is_asked_for_what_it_knows(version: int):
    rights, request = landlock.ruleset(version)
    known = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    assert rights == (1 << known) - 1
    assert len(request) == (8 if version < 4 else 16 if version < 6 else 24)


def test_this_kernel_takes_what_its_version_is_asked_for():
    script = "from intelli.kit import landlock; print(landlock.restrict(landlock.AllowedPaths()))\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"


_CONFINED = """
import os, socket, sys, threading
from intelli.kit import confinement
from intelli.kit.confinement import AllowedPaths, Policy
confinement.confine(AllowedPaths(read=confinement.libraries()), Policy({policy}))
def tells(what):
    try:
        what()
    except (OSError, RuntimeError):
        return "no"
    return "yes"
def thread():
    started = threading.Thread(target=print, args=("",), kwargs={{"end": ""}})
    started.start()
    started.join()
print(tells(thread), tells(socket.socketpair), tells(lambda: socket.socket(socket.AF_UNIX)), end=" ")
print(tells(lambda: os.fork() or os._exit(0)), tells(lambda: open("/etc/passwd")))
"""


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        pytest.param("", "no no no no no", id="a reader"),
        pytest.param("threads=True", "yes yes no no no", id="a renderer"),
        pytest.param("forks=True", "yes no no yes no", id="a helper"),
    ],
)
def test_a_policy_allows_what_it_names(policy: str, allowed: str):
    command = [sys.executable, "-c", _CONFINED.format(policy=policy)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == allowed.split()


def test_the_filters_of_both_architectures_are_whole(monkeypatch: pytest.MonkeyPatch):
    for machine in ("x86_64", "aarch64"):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        for policy in (Policy(), Policy(threads=True), Policy(forks=True, programs=True)):
            instructions = seccomp._instructions(policy)
            for at, (code, yes, no, _) in enumerate(instructions):
                assert code & 0x07 != 0x05 or at + 1 + max(yes, no) < len(instructions)
            assert instructions[-1][0] == instructions[-2][0] == 0x06


def test_what_the_kernel_lacks_is_named():
    assert confinement.missing() == []
    assert AllowedPaths().read == ()
