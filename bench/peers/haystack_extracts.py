"""Haystack without a model: its document splitter and BM25 retriever, and the first sentence of the best document."""

import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from extracting import Retrieve, serve
from haystack import Document
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore


def make(texts: dict[str, str]) -> Retrieve:
    store = InMemoryDocumentStore()
    splitter = DocumentSplitter(split_by="word", split_length=150, split_overlap=20)
    given = [Document(content=text, meta={"path": path}) for path, text in texts.items()]
    store.write_documents(splitter.run(documents=given)["documents"])
    retriever = InMemoryBM25Retriever(document_store=store, top_k=1)

    def retrieve(question: str) -> list[tuple[str, str]]:
        found = retriever.run(query=question)["documents"]
        return [(str(each.meta["path"]), each.content or "") for each in found]

    return retrieve


if __name__ == "__main__":
    serve(make)
