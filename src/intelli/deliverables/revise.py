"""Make a new version of a deliverable: its text edited by hand, another title, or what an earlier version said.

An edited text is parsed and sanitised as any GML, keeps citations of its brief only, and every sentence is checked
again; one that did not change keeps its verdict, which a model may have given.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from intelli.citations import check_text, origins
from intelli.citations import save as citations_save
from intelli.citations import show as citations_show
from intelli.citations.check import CheckedStatement, CheckOutcome
from intelli.citations.prove import CitationProof, ProofMaterial, ProvenText
from intelli.citations.save import CitedMessage, ResearchSummary
from intelli.citations.wire import Check, Citation
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.deliverables import brief_proofs, build, entity_metadata, gml, prose, save, show, store, wire
from intelli.deliverables.brief import Cited, DataBrief
from intelli.deliverables.errors import NothingToRevise, NotReady, NotYours
from intelli.deliverables.kinds import kind_of
from intelli.deliverables.paper import Heading, Paper
from intelli.deliverables.save import DeliverableOwner, SavedFile, WrittenContent
from intelli.deliverables.tables import Deliverable
from intelli.entities import content as entities_content
from intelli.kit.blobs import Blobs
from intelli.kit.compute import Compute
from intelli.kit.context import UserContext
from intelli.kit.db import Database, Tx
from intelli.kit.ids import uuid7
from intelli.library.sources import Sources

_LONGEST_TITLE = 300


@dataclass(frozen=True, slots=True)
class ReviseParts:
    """What a revision works with: database, blobs, the processes that check, and the types of sources."""

    db: Database
    blobs: Blobs
    compute: Compute
    sources: Sources


@dataclass(frozen=True, slots=True)
class _Basis:
    """The version that a new one is made of, as it is stored."""

    row: Deliverable
    brief: DataBrief
    text: str
    cited: Sequence[Citation]
    research: ResearchSummary
    is_newest: bool


@dataclass(frozen=True, slots=True)
class PreparedVersion:
    """A new version that is checked, and whose content is in the blob store; `save_revision` makes it one."""

    basis: "_Basis"
    made: WrittenContent
    proven: ProvenText
    change: str
    placed: entities_content.Placed


async def prepare(
    parts: ReviseParts, who: UserContext, deliverable_id: UUID, asked: wire.NewVersion
) -> PreparedVersion:
    """Prepare a new version; without a text and a title it says what the given version says: changes are taken back."""
    basis = await _load(parts, who, deliverable_id)
    if asked.gml is None and asked.title is None and basis.is_newest:
        raise NothingToRevise("This is the newest version already. Give another text or title, or an earlier version.")
    paper = _titled(_known(gml.parse(asked.gml or basis.text, language=basis.brief.language), basis.brief), asked.title)
    proven = await _prove(parts, who, basis, paper)
    made_id = uuid7()
    brief = basis.brief.model_copy(update={"title": paper.title})
    made = WrittenContent(
        id=made_id,
        kind=kind_of(basis.row.kind),
        brief=brief_proofs.add_proofs(brief, proven.proofs, kept_as=made_id),
        gml=gml.write(paper),
        words=prose.count_words(paper),
        sections=prose.sections(paper),
    )
    placed = await entities_content.place(parts.blobs, who.tenant_id, save.common_contents(made))
    return PreparedVersion(basis, made, proven, _change(asked, basis.row), placed)


async def save_revision(tx: Tx, revision: PreparedVersion, *, sources: Sources) -> Deliverable:
    """Save a prepared version as the newest of its kind, or have its files built first where it has some."""
    basis, made, row = revision.basis, revision.made, revision.basis.row
    contents = save.common_contents(made)
    hashes = await entities_content.save(tx, contents, revision.placed, owner=save.owner_of(row))
    owner = DeliverableOwner(row.run_id, row.message_id, row.conversation_id)
    inserted = await save.insert_written(tx, made, owner, hashes)
    await store.update_deliverable(tx, made.id, based_on=row.id, change=revision.change)
    if row.run_id is not None:
        entities = {each.identifier: each.entity_id for each in basis.cited if each.entity_id is not None}
        message = CitedMessage(made.id, row.run_id, row.conversation_id, entities)
        await citations_save.save_citations(tx, message, revision.proven, basis.research, sources=sources)
    if made.kind.is_built:
        await save.promise(tx, inserted, owner)
        await build.enqueue(tx, made.id)
    else:
        drafts = {name: received.draft for name, received in revision.placed.items()}
        files = [
            SavedFile(name, content.media_type, drafts[name].size_bytes, drafts[name].sha256)
            for name, content in contents.items()
        ]
        await save.complete(tx, inserted, owner, files, details=entity_metadata.describe_written(made))
    return await show.get(tx, made.id)


async def check(parts: ReviseParts, who: UserContext, deliverable_id: UUID, text: str) -> list[wire.CheckedSentence]:
    """Check a piece of edited text against what it cites; nothing is saved."""
    basis = await _load(parts, who, deliverable_id)
    paper = _known(gml.parse(text, language=basis.brief.language), basis.brief)
    proven = await _prove(parts, who, basis, paper)
    kept = {(proof.statement, proof.identifier): proof.outcome for proof in proven.proofs}
    names = {proof.ordinal: proof.identifier for proof in proven.proofs}
    return [_sentence(each, names, kept) for each in proven.statements]


def _sentence(
    checked: CheckedStatement, names: Mapping[int, str], kept: Mapping[tuple[str, str], CheckOutcome]
) -> wire.CheckedSentence:
    said = checked.statement
    identifiers = [names[ordinal] for ordinal in said.ordinals if ordinal in names]
    known = [kept[(said.text, name)] for name in identifiers if (said.text, name) in kept]
    worst = min(known, key=lambda each: _RANKS.index(each.check), default=None)
    verdict, reason = (worst.check, worst.reason) if worst is not None else (checked.check, checked.reason)
    return wire.CheckedSentence(text=said.text, check=verdict, reason=reason, identifiers=identifiers)


_RANKS = (Check.FAILED, Check.WEAK, Check.UNCHECKED, Check.VERIFIED)


def _change(asked: wire.NewVersion, row: Deliverable) -> str:
    if asked.gml is not None:
        return "edited"
    return "renamed" if asked.title is not None else f"taken_back:{row.version}"


async def _load(parts: ReviseParts, who: UserContext, deliverable_id: UUID) -> _Basis:
    async with parts.db.begin(who) as tx:
        row = await show.get(tx, deliverable_id)
        if row.user_id != who.user_id:
            raise NotYours("Only who had this made can change it. Ask for one of your own in the conversation.")
        if row.status != wire.Status.COMPLETED or row.deleted_at is not None:
            raise NotReady("Only a deliverable that is completed and not in the trash can be changed.")
        cited = await show.list_citations(tx, deliverable_id, keep_excerpts=False)
        queries, not_found = await citations_show.load_research(tx, deliverable_id)
        versions = [each for each in await store.list_versions(tx, row) if each.deleted_at is None]
    brief, text = await show.read_brief(parts.blobs, row), await show.read_gml(parts.blobs, row)
    found = frozenset(each.identifier for each in brief.citations)
    research = ResearchSummary(queries, found, found, not_found, ())
    return _Basis(row, brief, text, cited, research, is_newest=versions[0].id == row.id)


def _known(paper: Paper, brief: DataBrief) -> Paper:
    """Return the paper without citations of what its brief does not have."""
    known = {each.identifier for each in brief.citations}
    return Paper.model_validate(_without_unknown(paper.model_dump(), known))


def _without_unknown(value: object, known: set[str]) -> object:
    match value:
        case dict():
            kept = {name: _without_unknown(each, known) for name, each in value.items() if name != "citations"}
            if "citations" in value:
                kept["citations"] = tuple(each for each in value["citations"] if each in known)
            # A figure names one.
            if "citation" in value and value["citation"] not in known:
                kept["citation"] = ""
            return kept
        case list() | tuple():
            return [_without_unknown(each, known) for each in value]
        case _:
            return value


def _titled(paper: Paper, title: str | None) -> Paper:
    """Return the paper under a title: the given one, or the one that it has."""
    named = " ".join((title or paper.title).split())[:_LONGEST_TITLE]
    blocks = [each for each in paper.blocks if not (isinstance(each, Heading) and each.level == 1)]
    heading = Heading(level=1, text=named, id="title")
    return paper.model_copy(update={"title": named, "blocks": (heading, *blocks)})


async def _prove(parts: ReviseParts, who: UserContext, basis: _Basis, paper: Paper) -> ProvenText:
    material = await _material(parts, who, basis.brief)
    checked = await check_text.check_text(prose.citing_of(paper), material, judge=None, compute=parts.compute)
    kept = {(each.sentence, each.identifier): each for each in basis.cited}
    return replace(checked.proven, proofs=tuple(_as_before(each, kept) for each in checked.proven.proofs))


def _as_before(proof: CitationProof, kept: Mapping[tuple[str, str], Citation]) -> CitationProof:
    """Return the proof with the verdict that the same sentence had on the same source."""
    before = kept.get((proof.statement, proof.identifier))
    if before is None:
        return proof
    return replace(proof, outcome=CheckOutcome(before.check, before.reason, before.score))


async def _material(parts: ReviseParts, who: UserContext, brief: DataBrief) -> ProofMaterial:
    """Load the texts of all that a brief cites."""
    passages = {each.identifier: passage for each, passage in _passages(brief)}
    async with parts.db.begin(who) as tx:
        texts = await origins.find(tx, {passage.sha256 for passage in passages.values()})
    hints = {each.identifier: [each.quote] for each in brief.citations}
    return ProofMaterial(passages, await origins.load(parts.blobs, who.tenant_id, texts), hints)


def _passages(brief: DataBrief) -> Iterator[tuple[Cited, Passage]]:
    for cited in brief.citations:
        source = brief.source(cited.source)
        if source is not None:
            yield (
                cited,
                Passage(
                    Span(source.sha256, cited.char_start, cited.char_end),
                    cited.quote,
                    title=source.file_name,
                    path="",
                    mime_type=source.mime_type,
                    score=1.0,
                    document_id=source.document_id,
                    page=cited.page,
                    section=cited.section,
                ),
            )
