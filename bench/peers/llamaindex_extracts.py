"""LlamaIndex without a model: its sentence splitter and BM25 retriever, and the first sentence of the best node."""

from extracting import Retrieve, serve
from llama_index.core import Document
from llama_index.core.node_parser import SentenceSplitter
from llama_index.retrievers.bm25 import BM25Retriever


def make(texts: dict[str, str]) -> Retrieve:
    documents = [Document(id_=path, text=text) for path, text in texts.items()]
    nodes = SentenceSplitter(chunk_size=256, chunk_overlap=20).get_nodes_from_documents(documents)
    retriever = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=1)

    def retrieve(question: str) -> list[tuple[str, str]]:
        return [(str(each.node.ref_doc_id), each.node.get_content()) for each in retriever.retrieve(question)]

    return retrieve


if __name__ == "__main__":
    serve(make)
