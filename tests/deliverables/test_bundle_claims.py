"""A bundle that nobody touched is whole, whatever its citations came to; and every citation of it was looked at."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from tests.deliverables import bundles, research

from intelli.citations.prove import ProofMaterial, prove
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import brief_proofs, brief_statements, prose
from intelli.deliverables import compile_brief as deliverables_compile_brief
from intelli.deliverables.brief import Cited
from intelli.deliverables.bundle import unproven
from intelli.deliverables.bundle.parts import BundleParts, SourceFile
from intelli.deliverables.bundle.verify import verify
from intelli.deliverables.bundle.write import write
from intelli.deliverables.compile_brief import compile_brief
from intelli.deliverables.kinds import KINDS, compose
from intelli.reasoning.values import DatedEvent

UNCHECKED = {"check": "unchecked", "text_sha256": ""}
OTHER_TEXT = "The yard has 47 lamps, as was read later."


def changed(**values: object) -> BundleParts:
    """The parts of a bundle whose one citation is another."""
    parts = bundles.parts()
    cited: Cited = parts.brief.citations[0].model_copy(update=values)
    return replace(parts, brief=parts.brief.model_copy(update={"citations": (cited,)}))


def read_anew() -> BundleParts:
    return replace(bundles.parts(), sources=[SourceFile(1, bundles.ORIGINAL, OTHER_TEXT.encode(), b"map")])


def few_dates() -> deliverables_compile_brief.BriefMaterial:
    """Research with a title of which a date is read, and fewer dates than make a timeline."""
    known = research.material()
    title = DatedEvent(
        when="2021", what="Five-year overview", identifier=research.references()["overview.pdf"].identifier
    )
    return replace(known, brief=known.brief.model_copy(update={"timeline": (title,)}))


CASES = {
    "verified": bundles.parts(),
    "unchecked": changed(**UNCHECKED),
    "unchecked, and the quote is not there": changed(**UNCHECKED, quote="The yard has none."),
    "weak": changed(check="weak", reason="The source says this in other words."),
    "failed, and nothing was found": changed(check="failed", text_sha256="", quote="", char_start=0, char_end=0),
    "without the excerpt": changed(quote=""),
    "its document is deleted": replace(bundles.parts(), sources=[]),
    "unchecked, and its document is deleted": replace(changed(**UNCHECKED), sources=[]),
    "its document was read anew": read_anew(),
}


@pytest.mark.parametrize("name", CASES)
def test_a_bundle_that_nobody_touched_is_whole_and_a_byte_of_its_citations_is_missed(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    write(CASES[name], path)
    assert verify(path) == []
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo("data/citations.jsonl").header_offset + 60
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
    assert "data/citations.jsonl" in {fault.file for fault in verify(path)}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("verified", False),
        ("unchecked", False),
        ("unchecked, and the quote is not there", True),
        ("its document is deleted", True),
        ("its document was read anew", True),
    ],
)
def test_what_a_bundle_cannot_prove_is_told(name: str, told: bool, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    write(CASES[name], path)
    assert unproven.list_unproven(path) == ([bundles.brief().citations[0].identifier] if told else [], 1)


def test_a_citation_without_a_hash_is_checked_by_its_quote(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    write(changed(**UNCHECKED), path)
    with zipfile.ZipFile(path) as archive:
        (row,) = map(json.loads, archive.read("data/citations.jsonl").decode().splitlines())
    assert row["text"].endswith("/text.txt")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_citation_of_a_brief_is_looked_at_whatever_its_paper_shows(kind: DeliverableKind) -> None:
    compiled = compile_brief(few_dates())
    paper = compose(kind, compiled.brief)
    known = ProofMaterial(compiled.references, research.sources(), compiled.hints)
    said = brief_proofs.add_proofs(
        compiled.brief, prove(prose.of(paper), known).proofs, kept_as=research.references()["press.txt"].document_id
    )
    brief = brief_statements.with_proofs(
        said, prove(brief_statements.unsaid(said, prose.citations(paper)), known).proofs
    )
    assert [each for each in brief.citations if each.check == "unchecked" or not each.text_sha256] == []


def test_a_brief_cites_only_what_something_in_it_rests_on() -> None:
    brief = compile_brief(few_dates()).brief
    assert brief.timeline == ()
    used = {mark for _, marks in brief_statements.of(brief) for mark in marks}
    assert {each.identifier for each in brief.citations} == used
    assert {each.number for each in brief.sources} == {each.source for each in brief.citations}
