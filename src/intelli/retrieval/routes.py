"""Route of search."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends

from intelli.kit.http import Db, Reader, part
from intelli.library.sources import Sources
from intelli.reasoning.embedders import Embedders
from intelli.retrieval import search, wire
from intelli.retrieval.rerank import Rerankers

router = APIRouter(tags=["search"])


@router.post("/search")
async def search_documents(
    body: wire.Search,
    who: Reader,
    db: Db,
    embedders: Annotated[Embedders, Depends(part(Embedders))],
    rerankers: Annotated[Rerankers, Depends(part(Rerankers))],
    sources: Annotated[Sources, Depends(part(Sources))],
) -> wire.SearchResult:
    """Find the passages that bear on a query, by their words and their meaning, grouped by document.

    A score between 0 and 1 means the same from query to query.
    """
    if body.folder is not None:
        async with db.begin(who) as tx:
            await search.check_folder(tx, body)
    begin = partial(db.begin, who, is_snapshot=True)
    return await search.search(begin, body, embedders=embedders, reranker=rerankers.interactive, sources=sources)


ROUTERS = (router,)
