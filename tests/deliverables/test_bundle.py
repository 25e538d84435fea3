"""An evidence bundle is checked by itself: whatever is changed in it is found, and the file that it is in is named."""

import json
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.deliverables import bundles
from tests.support.soak import often

from intelli.deliverables.bundle.container import BundleTooLarge, ZipWriter
from intelli.deliverables.bundle.verify import BundleFault, verify
from intelli.deliverables.bundle.write import write


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return bundles.make(tmp_path / "bundle.zip")


def faults_after(bundle: Path, changed: bytes) -> list[BundleFault]:
    bundle.write_bytes(changed)
    return verify(bundle)


def test_a_whole_bundle_has_no_fault(bundle: Path) -> None:
    assert verify(bundle) == []


def test_the_same_parts_give_the_same_bytes(bundle: Path, tmp_path: Path) -> None:
    assert bundles.make(tmp_path / "again.zip").read_bytes() == bundle.read_bytes()


def test_any_zip_program_reads_it_and_it_is_a_bag_and_a_crate(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        crate = json.loads(archive.read("data/ro-crate-metadata.json"))
    assert {"bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"} <= set(names)
    assert any(name.endswith("/original.pdf") for name in names)
    assert {each["@id"] for each in crate["@graph"]} >= {"./", "#run", "brief.json", "citations.jsonl"}


def test_a_flip_of_any_byte_is_found_and_named(bundle: Path) -> None:
    whole = bundle.read_bytes()
    places = {name: _range(bundle, name) for name in _names(bundle)}
    step = often(29, soaking=1)
    chance = random.Random(7)
    unnamed = []
    for at in range(chance.randrange(step), len(whole), step):
        changed = bytearray(whole)
        changed[at] ^= 1 << chance.randrange(8)
        faults = faults_after(bundle, bytes(changed))
        inside = next((name for name, span in places.items() if at in span), None)
        assert faults, f"byte {at} of {inside} was changed and nobody saw it"
        if inside is not None and inside not in {fault.file for fault in faults}:
            unnamed.append((at, inside, faults))
    assert unnamed == []


@pytest.mark.parametrize("cut", [1, 22, 100, 2000])
def test_a_bundle_that_was_cut_off_is_not_whole(bundle: Path, cut: int) -> None:
    assert faults_after(bundle, bundle.read_bytes()[:-cut])


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", b"\0" * 5000])
def test_what_is_no_bundle_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.zip"
    path.write_bytes(content)
    assert verify(path)


def test_something_before_or_behind_it_is_found(bundle: Path) -> None:
    whole = bundle.read_bytes()
    assert faults_after(bundle, b"x" + whole)
    assert faults_after(bundle, whole + b"x")


@pytest.mark.parametrize("change", ["added", "removed", "renamed", "doubled"])
def test_files_that_were_added_removed_or_renamed_are_named(bundle: Path, change: str) -> None:
    with zipfile.ZipFile(bundle) as archive:
        files = [(info.filename, archive.read(info)) for info in archive.infolist()]
    name = "data/events.jsonl"
    match change:
        case "added":
            files.append(("data/extra.txt", b"extra"))
        case "removed":
            files = [each for each in files if each[0] != name]
        case "renamed":
            files = [("data/other.jsonl" if each[0] == name else each[0], each[1]) for each in files]
        case "doubled":
            files.append((name, b"other"))
    with bundle.open("wb") as out:
        writer = ZipWriter(out)
        for each in files:
            writer.add(*each)
        writer.finish()
    named = {fault.file for fault in verify(bundle)}
    assert ("data/extra.txt" if change == "added" else name) in named


@pytest.mark.parametrize("folder", ["", "evidence/"])
def test_a_bundle_that_another_program_packed_is_checked_file_by_file(
    bundle: Path, tmp_path: Path, folder: str
) -> None:
    again = tmp_path / "again.zip"

    def pack(change: bytes = b"") -> None:
        with zipfile.ZipFile(bundle) as archive, zipfile.ZipFile(again, "w", zipfile.ZIP_DEFLATED) as packed:
            for name in archive.namelist():
                packed.writestr(folder + name, archive.read(name) + (change if name == "data/brief.json" else b""))

    pack()
    assert verify(again) == []
    done = _intelli("verify", str(again))
    assert (done.returncode, "packed it anew" in done.stdout) == (0, True)
    pack(b" ")
    assert "data/brief.json" in {fault.file for fault in verify(again)}
    cut = again.read_bytes()
    again.write_bytes(cut[: len(cut) // 3] + bytes(40) + cut[len(cut) // 3 + 40 :])
    assert verify(again)


def test_a_bundle_that_was_unpacked_is_checked_file_by_file(bundle: Path, tmp_path: Path) -> None:
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(unpacked / "evidence")
    assert verify(unpacked) == verify(unpacked / "evidence") == []
    done = _intelli("verify", str(unpacked), "--json")
    assert (done.returncode, json.loads(done.stdout)["form"]) == (0, "unpacked")
    (unpacked / "evidence" / "data" / "extra.txt").write_text("smuggled")
    brief = unpacked / "evidence" / "data" / "brief.json"
    brief.write_bytes(brief.read_bytes().replace(b"e", b"a", 1))
    assert {fault.file for fault in verify(unpacked)} >= {"data/extra.txt", "data/brief.json"}
    done = _intelli("verify", str(tmp_path))
    assert (done.returncode, "no evidence bundle" in done.stderr) == (2, True)


def test_a_name_that_leads_out_of_the_bundle_is_refused(bundle: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle, "a") as archive:
        archive.writestr("../../outside.txt", b"slip")
    faults = verify(bundle)
    assert "../../outside.txt" in {fault.file for fault in faults}
    assert sorted(path.name for path in tmp_path.parent.iterdir() if path.name == "outside.txt") == []


def test_a_bomb_is_refused_without_being_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/brief.json", b"\0" * (64 << 20))
    assert verify(path)


def test_a_quote_that_was_changed_together_with_every_hash_is_still_found(tmp_path: Path) -> None:
    parts = bundles.parts()
    cited = parts.brief.citations[0].model_copy(update={"quote": "The yard has 48 lamps."})
    forged = parts.brief.model_copy(update={"citations": (cited,)})
    path = tmp_path / "forged.zip"
    write(type(parts)(**{**_fields(parts), "brief": forged}), path)
    faults = verify(path)
    assert [fault.file for fault in faults] == ["data/citations.jsonl"]
    assert "does not stand in the source" in faults[0].what


def test_a_source_and_a_manifest_that_were_exchanged_with_their_hashes_are_found(tmp_path: Path) -> None:
    parts = bundles.parts()
    path = tmp_path / "forged.zip"
    sources = [type(parts.sources[0])(1, b"other bytes", bundles.TEXT.encode())]
    manifests = [type(each)(each.sha256, each.parent_sha256, "other words", each.tree) for each in parts.manifests]
    write(type(parts)(**{**_fields(parts), "sources": sources, "manifests": manifests}), path)
    files = {fault.file for fault in verify(path)}
    assert "data/citations.jsonl" in files
    assert any(file.startswith("data/manifests/0000") for file in files)


def test_a_source_that_is_gone_leaves_a_bundle_that_is_whole(tmp_path: Path) -> None:
    parts = bundles.parts()
    path = tmp_path / "bundle.zip"
    write(type(parts)(**{**_fields(parts), "sources": [type(parts.sources[0])(1, None)]}), path)
    assert verify(path) == []


def test_large_sources_are_taken_from_disk(tmp_path: Path) -> None:
    parts = bundles.parts()
    original = tmp_path / "original"
    original.write_bytes(bundles.ORIGINAL)
    sources = [type(parts.sources[0])(1, original, bundles.TEXT.encode(), b"map")]
    path = tmp_path / "bundle.zip"
    write(type(parts)(**{**_fields(parts), "sources": sources}), path)
    assert path.read_bytes() == bundles.make(tmp_path / "other.zip").read_bytes()


def test_more_than_a_zip_can_hold_is_refused(tmp_path: Path) -> None:
    vast = tmp_path / "vast"
    with vast.open("wb") as out:
        out.truncate(5 << 30)
    with (tmp_path / "out.zip").open("wb") as out, pytest.raises(BundleTooLarge, match="too large"):
        ZipWriter(out).add("data/vast", vast)


def test_verify_needs_no_server_and_names_the_file(bundle: Path) -> None:
    done = _intelli("verify", str(bundle), "--json")
    assert (done.returncode, json.loads(done.stdout)["faults"]) == (0, [])
    changed = bytearray(bundle.read_bytes())
    span = _range(bundle, "data/brief.json")
    changed[span.stop - 5] ^= 1
    bundle.write_bytes(bytes(changed))
    done = _intelli("verify", str(bundle))
    assert done.returncode == 1
    assert "data/brief.json" in done.stdout


def _intelli(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "intelli.cli", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def _fields(parts: object) -> dict[str, object]:
    return {name: getattr(parts, name) for name in parts.__slots__}  # type: ignore[attr-defined]


def _names(bundle: Path) -> list[str]:
    with zipfile.ZipFile(bundle) as archive:
        return archive.namelist()


def _range(bundle: Path, name: str) -> range:
    """Where the bytes of a file stand in the zip."""
    with zipfile.ZipFile(bundle) as archive:
        info = archive.getinfo(name)
    start = info.header_offset + 30 + len(name)
    return range(start, start + info.file_size)
