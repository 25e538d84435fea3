"""`intelli verify` and `intelli gc`: what was damaged is found, what is whole is not accused."""

from pathlib import Path

import httpx
import psycopg
import pytest
from tests.cli.process import intelli, serving
from tests.content.makers import commit_tree, point, store
from tests.support.installation import Install
from tests.support.server import PASSWORD

from intelli.content import verify
from intelli.kit.room import WorkspaceAccess


async def findings(premises: WorkspaceAccess) -> list[str]:
    return [finding.partition(": ")[2] async for finding in verify.findings(premises)]


@pytest.fixture
async def manifest(premises: WorkspaceAccess) -> str:
    manifest = await commit_tree(premises, {"a": await store(premises, b"content")})
    await point(premises, "p", manifest)
    return manifest


def blob_file(folder: Path) -> Path:
    (path,) = (path for path in folder.rglob("*") if path.is_file() and len(path.name) == 64)
    return path


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


async def test_what_is_whole_gives_no_finding(premises: WorkspaceAccess, manifest: str):
    assert await findings(premises) == []


async def test_a_flipped_bit_is_found(premises: WorkspaceAccess, manifest: str, tmp_path: Path):
    flip_a_bit(blob_file(tmp_path / "kept"))
    assert await findings(premises) == ["its blob no longer has its hash"]


async def test_a_missing_and_a_shortened_blob_are_found(premises: WorkspaceAccess, manifest: str, tmp_path: Path):
    path = blob_file(tmp_path / "kept")
    path.write_bytes(b"cont")
    assert await findings(premises) == ["its blob has 4 bytes instead of 7"]
    path.unlink()
    assert await findings(premises) == ["its blob is missing"]


# As someone would who restores a part of a backup.
_UNGUARDED = "set session_replication_role = replica;"


@pytest.mark.parametrize(
    ("damage", "finding"),
    [
        ("update manifests set message = 'other'", "its content was changed"),
        ("update manifest_entries set path = 'b'", "its content was changed"),
        ("update manifests set entry_count = 9", "its counts do not fit its tree"),
        ("update pointers set manifest_sha256 = null", "it is not where its history says"),
        ("delete from pointer_history", "it is not where its history says"),
        ("update pointer_history set version = 2", "its history has a gap before move 2"),
        (f"{_UNGUARDED} update artifacts set reference_count = 7", "it counts 7 references, but 1 hold it"),
        (f"{_UNGUARDED} update artifacts set reference_count = 0", "it counts 0 references, but 1 hold it"),
    ],
)
@pytest.mark.usefixtures("manifest")
async def test_a_change_behind_our_back_is_found(premises: WorkspaceAccess, admin_url: str, damage: str, finding: str):
    with psycopg.connect(admin_url, autocommit=True) as admin:
        admin.execute(damage)  # type: ignore[arg-type]  # our own text
    assert await findings(premises) == [finding]


def test_an_operator_frees_what_is_garbage_and_hears_of_damage(tmp_path: Path, install: Install):
    data = install(tmp_path / "data")
    with serving(data) as server:
        with httpx.Client(base_url=f"{server.url}/api/v1", timeout=60) as client:
            body = {"email": "o@example.org", "password": PASSWORD, "name": "O", "workspace_name": "R"}
            tokens = client.post("/auth/register", json=body).raise_for_status().json()
            client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
            for content in (b"loose", b"kept"):
                sha256 = (
                    client.post("/artifacts", files={"file": ("a.txt", content)}).raise_for_status().json()["sha256"]
                )
            tree = client.post("/manifests", json={"tree": {"a": {"sha256": sha256}}}).raise_for_status().json()
            client.put("/pointers/n/p", json={"manifest_sha256": tree["sha256"], "expected": None}).raise_for_status()
        soon = {"INTELLI_CONTENT__GRACE_HOURS": "0"}
        garbage = {"pointers": 0, "manifests": 0, "artifacts": 1, "orphans": 0, "drafts": 0, "size_bytes": 5}
        none = dict.fromkeys(garbage, 0)
        assert intelli("gc", "--json", "--data", data).json == {
            "applied": False,
            "garbage": none,
            "unfinished": 0,
        }
        assert intelli("gc", "--dry-run", "--json", "--data", data, env=soon).json["garbage"] == garbage
        assert intelli("gc", "--apply", "--json", "--data", data, env=soon).json == {
            "applied": True,
            "garbage": garbage,
            "unfinished": 0,
        }
        assert "0 artifacts" in intelli("gc", "--data", data, env=soon).out
        assert intelli("verify", "--data", data).code == 0
        flip_a_bit(blob_file(data / "blobs"))
        found = intelli("verify", "--json", "--data", data)
        httpx.post(
            f"{server.url}/api/v1/artifacts",
            files={"file": ("a.txt", b"kept")},
            headers=client.headers,
            timeout=60,
        ).raise_for_status()
        assert intelli("verify", "--data", data).code == 0
    assert found.code == 1
    assert [broken["room"] for broken in found.json["broken"]] == ["content"], found.json
    assert sha256 in found.json["broken"][0]["finding"]
