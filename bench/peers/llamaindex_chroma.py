"""LlamaIndex with Chroma on disk: its own directory reader (pypdf for PDFs), its sentence splitter, our embedder.

What comes from offices and the web is read with markitdown, because its own readers want models or lose tables.

It makes a vector index alone, without a lexical one: less work than ours does.
"""

import json
import logging
import sys
import time
from importlib.metadata import version
from pathlib import Path

import chromadb
from llama_index.core import Settings, SimpleDirectoryReader, StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document
from llama_index.vector_stores.chroma import ChromaVectorStore
from office_files import ENDINGS, OfficeFiles
from static_embedding import StaticEmbedding

_BATCH = 512


class OurEmbedding(BaseEmbedding):
    """The static embedding that ours uses by default."""

    model: object = None

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self.model.embed(texts).tolist()

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class OfficeReader(BaseReader):
    """Files of offices and the web, a document each."""

    def __init__(self) -> None:
        self._office = OfficeFiles()

    def load_data(self, file: Path, extra_info: dict | None = None, **_: object) -> list[Document]:
        return [Document(text=self._office.read(file), metadata=extra_info or {})]


def main(files: str, index: str) -> None:
    logging.disable(logging.WARNING)
    Settings.embed_model = OurEmbedding(model=StaticEmbedding(), embed_batch_size=_BATCH)
    Settings.transformations = [SentenceSplitter(chunk_size=512, chunk_overlap=50)]
    client = chromadb.PersistentClient(index, chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("files", metadata={"hnsw:space": "cosine"})
    readers = dict.fromkeys(ENDINGS, OfficeReader())
    begun, spent = time.perf_counter(), time.process_time()
    documents = SimpleDirectoryReader(files, recursive=True, file_extractor=readers).load_data()
    storage = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
    made = VectorStoreIndex.from_documents(documents, storage_context=storage, insert_batch_size=_BATCH)
    assert made.as_retriever(similarity_top_k=10).retrieve("health insurance")
    measured = {"seconds": time.perf_counter() - begun, "processor_s": time.process_time() - spent}
    name = f"LlamaIndex {version('llama-index-core')} with Chroma {version('chromadb')}"
    print(json.dumps({"name": name, **measured, "chunks": collection.count()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
