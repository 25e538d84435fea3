"""LlamaIndex: its BM25 retriever, its response synthesizer and its prompt for questions, all as they come.

The second variant has one sentence more in that prompt.
"""

from importlib.metadata import version

from answering import OUTPUT_TOKENS, PASSAGES, SENTENCE, TIMEOUT_S, Answer, Given, serve
from llama_index.core.prompts import ChatPromptTemplate
from llama_index.core.prompts.chat_prompts import TEXT_QA_PROMPT_TMPL_MSGS
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import TextNode
from llama_index.llms.openai_like import OpenAILike
from llama_index.retrievers.bm25 import BM25Retriever

_PLACE = "answer the query."


def _with_sentence() -> ChatPromptTemplate:
    """Its own prompt, with the sentence after what it asks for."""
    system, user = TEXT_QA_PROMPT_TMPL_MSGS
    changed = user.model_copy(deep=True)
    assert _PLACE in user.content
    changed.content = user.content.replace(_PLACE, f"{_PLACE} {SENTENCE}")
    return ChatPromptTemplate(message_templates=[system, changed])


def make(given: Given) -> tuple[str, Answer]:
    llm = OpenAILike(
        model=given.model, api_base=given.url, api_key=given.key, is_chat_model=True, context_window=given.window,
        temperature=0, max_tokens=OUTPUT_TOKENS, timeout=TIMEOUT_S, max_retries=0,
    )  # fmt: skip
    nodes = [TextNode(id_=name, text=text) for name, text in given.texts.items()]
    retriever = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=min(PASSAGES, len(nodes)))
    prompt = {"text_qa_template": _with_sentence()} if given.has_sentence else {}
    engine = RetrieverQueryEngine(retriever, get_response_synthesizer(llm=llm, **prompt))

    def answer(question: str) -> tuple[str, list[str]]:
        said = engine.query(question)
        return str(said), [each.node.node_id for each in said.source_nodes]

    return f"LlamaIndex {version('llama-index-core')}", answer


if __name__ == "__main__":
    serve(make)
