"""LlamaIndex with Chroma on disk as it grows: ten passages for each query, by meaning alone."""

import json
import logging
import sys
from importlib.metadata import version

import chromadb
from llama_index.core import Settings, StorageContext, VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.vector_stores.chroma import ChromaVectorStore
from llamaindex_chroma import OurEmbedding
from searching import grow
from static_embedding import StaticEmbedding

_BATCH = 2000


def main(passages: str, queries: str, index: str, *sizes: str) -> None:
    logging.disable(logging.WARNING)
    Settings.embed_model = OurEmbedding(model=StaticEmbedding(), embed_batch_size=_BATCH)
    client = chromadb.PersistentClient(index, chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("passages", metadata={"hnsw:space": "cosine"})
    storage = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
    made = VectorStoreIndex([], storage_context=storage, insert_batch_size=_BATCH)
    retriever = made.as_retriever(similarity_top_k=10)

    def add(texts: list[str]) -> None:
        made.insert_nodes([TextNode(text=text) for text in texts])

    name = f"LlamaIndex {version('llama-index-core')} with Chroma {version('chromadb')}, meaning alone"
    for figures in grow(passages, queries, sizes, add=add, search=retriever.retrieve):
        print(json.dumps({"name": name, **figures}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
