"""txtai with Faiss, SQLite and its own BM25 as it grows: ten passages for each query, by words and meaning."""

import json
import sys
from importlib.metadata import version

from searching import grow
from static_embedding import StaticEmbedding
from txtai import Embeddings

_BATCH = 2000


def main(passages: str, queries: str, index: str, *sizes: str) -> None:
    model = StaticEmbedding()

    def embed(batch: list[str]) -> object:
        return model.embed(batch)

    def search(query: str) -> object:
        return made.search(query, 10)

    def add(texts: list[str]) -> None:
        """All anew: its index of vectors is laid out for as many as there are when it is built."""
        seen.extend(texts)
        made.index((number, text, None) for number, text in enumerate(seen))
        made.save(index)

    seen: list[str] = []
    made = Embeddings(method="external", transform=embed, content=True, hybrid=True, encodebatch=_BATCH)
    name = f"txtai {version('txtai')}"
    for figures in grow(passages, queries, sizes, add=add, search=search):
        print(json.dumps({"name": name, **figures}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
