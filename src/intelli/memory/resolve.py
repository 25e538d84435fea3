"""Open questions of an episode, for one model call: names that may be aliases, facts that may no longer hold."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import names, nodes, search_terms
from intelli.memory.extracted import ExtractedEpisode, ExtractedThing
from intelli.memory.search_terms import SearchKind
from intelli.memory.store import write as store
from intelli.memory.store.write import Found
from intelli.memory.tables import ClaimEffect
from intelli.reasoning.ports import Vectors
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.resolve import NameDoubt, Resolution, ResolveInput

_NEAR = 0.8
_MOST_LIKE = 5
_MOST_EARLIER = 12
_MOST_FOUND = 20


@dataclass(frozen=True, slots=True)
class OpenQuestions:
    """Candidate nodes of new names (`like`, by the name's key), and facts that claims may contradict (`earlier`)."""

    names: dict[str, str] = field(default_factory=dict)
    like: dict[str, dict[str, UUID]] = field(default_factory=dict)
    earlier: tuple[Found, ...] = ()

    def to_input(self, passage: SourceText, reading: ExtractedEpisode) -> ResolveInput | None:
        """Return the reasoner's input; None when nothing is open."""
        if not self.like and not self.earlier:
            return None
        return ResolveInput(
            passage=passage,
            doubts=tuple(NameDoubt(name=self.names[key], known=tuple(like)) for key, like in self.like.items()),
            statements=tuple(dict.fromkeys(each.statement for each in reading.claims)) if self.earlier else (),
            earlier=tuple(row.statement for row in self.earlier),
        )

    def match(self, resolved: Resolution) -> "ResolvedQuestions":
        """Map the names and numbers of an answer back to nodes and facts; names not asked about are ignored."""
        same_as = {each.name: each.known for each in resolved.same}
        same = {
            key: self.like[key][same_as[name]]
            for key, name in self.names.items()
            if same_as.get(name) in self.like[key]
        }
        return ResolvedQuestions(same, tuple(self.earlier[number - 1] for number in resolved.contradicted))


@dataclass(frozen=True, slots=True)
class ResolvedQuestions:
    """The node that each new name is another form of, and the facts that no longer hold."""

    same: dict[str, UUID] = field(default_factory=dict)
    contradicted: tuple[Found, ...] = ()


async def find_open_questions(
    tx: Tx, group_id: str, reading: ExtractedEpisode, *, vectors: dict[str, Vectors], space: str
) -> OpenQuestions:
    """Find what a model should decide about an episode."""
    found = await store.nodes_by_key(tx, group_id, [thing.key for thing in reading.things])
    roots = {row.name_key: row.root_id for row in found}
    new = [thing for thing in reading.things if thing.key not in roots]
    like = await _find_similar(tx, group_id, new, vectors=vectors, space=space) if new else {}
    earlier = await _find_rivals(tx, group_id, reading, roots)
    return OpenQuestions({thing.key: thing.name for thing in new if thing.key in like}, like, tuple(earlier))


async def _find_similar(
    tx: Tx, group_id: str, new: Sequence[ExtractedThing], *, vectors: dict[str, Vectors], space: str
) -> dict[str, dict[str, UUID]]:
    """Return for each new name, by its key, the ids of known nodes with a similar name, by that name."""
    wanted = [
        (term, nth)
        for nth, thing in enumerate(new, 1)
        for term, _ in search_terms.weighted_terms(
            thing.name, SearchKind.NODE, language=search_terms.language_of(thing.name)
        )
    ]
    found = [vectors[thing.name] for thing in new if thing.name in vectors]
    stacked = store.stack(found) if len(found) == len(new) else None
    rows = await store.similar_nodes(
        tx, group_id, terms=wanted, vectors=stacked, space=space, least=_NEAR, limit=_MOST_FOUND
    )
    like: dict[str, dict[str, UUID]] = {}
    for row in rows:
        name = new[row.nth - 1].name
        # An embedder hardly distinguishes numbers and codes, which identify things.
        is_near = nodes.may_be_same(name, row.name) if row.is_by_words else not names.differ_in_code(name, row.name)
        if not is_near:
            continue
        known = like.setdefault(new[row.nth - 1].key, {})
        if len(known) < _MOST_LIKE:
            known.setdefault(row.name, row.root_id)
    return like


async def _find_rivals(tx: Tx, group_id: str, reading: ExtractedEpisode, roots: dict[str, UUID]) -> Sequence[Found]:
    """Return open facts about the same pairs of nodes, or about the same subject and relation with another value."""
    asked = [
        {
            "subject_id": roots[claim.subject],
            "relation": claim.relation,
            "object_id": roots.get(claim.object_key or ""),
            "object_text": claim.object_text,
        }
        for claim in reading.claims
        if claim.says is ClaimEffect.HOLDS and claim.subject in roots
    ]
    return await store.rival_facts(tx, group_id, asked, limit=_MOST_EARLIER) if asked else ()
