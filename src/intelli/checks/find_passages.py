"""Find the passages that statements are held against: those they cite, or else what a search of the library gives.

Everything is read with the rights of the person whose check it is.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from uuid import UUID

from intelli.checks import store
from intelli.checks.select import OpenStatement
from intelli.checks.tables import TextCheck
from intelli.citations import origins
from intelli.citations.prove import ProofMaterial, StoredText
from intelli.citations.wire import StatementKind
from intelli.content.passage import Passage
from intelli.content.span import Span, parse_identifier
from intelli.kit.blobs import Blobs
from intelli.kit.tasks import task_group
from intelli.kit.work import Work
from intelli.library import authorship
from intelli.reasoning.embedders import Embedders
from intelli.retrieval import search
from intelli.retrieval import wire as retrieval_wire
from intelli.retrieval.rerank import Rerankers

MOST_PASSAGES = 6
# More documents than passages: the checked text may be among them, and is no evidence for itself.
_DOCUMENTS = 12
_SEARCHES_AT_ONCE = 3
_TEXTS_KEPT = 24


class PassageFinder:
    """Finds passages for the statements of one check, and keeps the texts of the documents that come up again."""

    def __init__(self, work: Work, row: TextCheck) -> None:
        self._work = work
        self._row = row
        self._at_once = asyncio.Semaphore(_SEARCHES_AT_ONCE)
        self._texts: OrderedDict[str, StoredText] = OrderedDict()

    async def find(self, statements: Sequence[OpenStatement]) -> dict[int, list[Passage]]:
        """Return the passages of each statement by its number: those it cites and that are there, or the best found."""
        cited = await self._resolve({name for each in statements for name in each.identifiers})
        found = {each.number: [cited[name] for name in each.identifiers if name in cited] for each in statements}
        uncited = [each for each in statements if not found[each.number] and each.cited.kind is not StatementKind.OWN]
        async with task_group() as group:
            searches = {each.number: group.create_task(self._search(each.cited.text)) for each in uncited}
        return {**found, **{number: task.result() for number, task in searches.items()}}

    async def load_material(self, passages: Sequence[Passage]) -> ProofMaterial:
        """Load the texts that passages stand in."""
        wanted = {passage.sha256 for passage in passages}
        async with self._work.db.begin(self._work.who) as tx:
            known = await origins.find(tx, wanted - self._texts.keys())
            tenant_id = tx.tenant_id
        self._texts.update(await origins.load(self._work.part(Blobs), tenant_id, known))
        for sha256 in wanted & self._texts.keys():
            self._texts.move_to_end(sha256)
        sources = {sha256: self._texts[sha256] for sha256 in wanted if sha256 in self._texts}
        while len(self._texts) > _TEXTS_KEPT:
            self._texts.popitem(last=False)
        return ProofMaterial({passage.identifier: passage for passage in passages}, sources)

    async def _resolve(self, identifiers: set[str]) -> Mapping[str, Passage]:
        """Return the passages that identifiers name, as far as a document has their bytes."""
        addresses = {name: address for name in identifiers if (address := parse_identifier(name)) is not None}
        if not addresses:
            return {}
        async with self._work.db.begin(self._work.who) as tx:
            known = await store.find_citable(tx, {address.sha256_prefix for address in addresses.values()})
        texts = (await self.load_material([_whole(each) for each in known.values()])).sources
        found: dict[str, Passage] = {}
        for name, address in addresses.items():
            source = known.get(address.sha256_prefix)
            text = texts.get(source.sha256) if source else None
            if source is not None and text is not None and address.end <= len(text.text):
                span = Span(source.sha256, address.start, address.end)
                found[name] = _passage(source, span, span.text_in(text.text))
        return found

    async def _search(self, query: str) -> list[Passage]:
        async with self._at_once:
            found: dict[Span, Passage] = {}
            async with self._work.db.begin(self._work.who) as tx:
                focus = self._row.context.get("document_ids") or ()
                ours = await authorship.find_agent_documents(tx, focus=[UUID(str(each)) for each in focus], question="")
            for place in self._places():
                request = retrieval_wire.Search(query=query[: retrieval_wire.MAX_QUERY], limit=_DOCUMENTS, **place)
                begin = partial(self._work.db.begin, self._work.who, is_snapshot=True)
                reranker = self._work.part(Rerankers).research
                outcome = await search.find(
                    begin, request, embedders=self._work.part(Embedders), reranker=reranker, without=ours.others
                )
                for group in outcome.groups:
                    found |= {passage.span: passage for passage in group.passages if self._is_other(passage)}
        return sorted(found.values(), key=lambda passage: -passage.score)[:MOST_PASSAGES]

    def _places(self) -> list[dict[str, object]]:
        """List the places to search one by one: a search covers one folder or a list of documents."""
        context = self._row.context
        places: list[dict[str, object]] = []
        if context.get("folder_id"):
            places.append({"folder": context["folder_id"]})
        if context.get("document_ids"):
            places.append({"document_ids": context["document_ids"]})
        return places or [{}]

    def _is_other(self, passage: Passage) -> bool:
        """Return whether a passage is of another document than the one that is checked, and of other bytes."""
        is_same = self._row.document_id is not None and passage.document_id == self._row.document_id
        return not is_same and passage.sha256 != self._row.source_sha256


def _whole(source: store.CitableText) -> Passage:
    return _passage(source, Span(source.sha256, 0, 0), "")


def _passage(source: store.CitableText, span: Span, text: str) -> Passage:
    return Passage(
        span=span,
        text=text,
        title=source.name,
        path=source.path,
        mime_type=source.mime_type,
        score=1.0,
        document_id=source.document_id,
    )
