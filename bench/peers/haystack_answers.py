"""Haystack: the pipeline of its "Get started" page with its BM25 retriever and that page's prompt.

The second variant has one sentence more in that prompt.
"""

import os
from importlib.metadata import version

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from answering import OUTPUT_TOKENS, PASSAGES, SENTENCE, TIMEOUT_S, Answer, Given, serve
from haystack import Document, Pipeline
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.retrievers import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret

_ASKED = "Given these documents, answer the question."
_PROMPT = f"""
        {_ASKED}
        Documents:
        {{% for doc in documents %}}
            {{{{ doc.content }}}}
        {{% endfor %}}
        Question:
        """


def make(given: Given) -> tuple[str, Answer]:
    store = InMemoryDocumentStore()
    store.write_documents([Document(id=name, content=text) for name, text in given.texts.items()])
    prompt = _PROMPT.replace(_ASKED, f"{_ASKED} {SENTENCE}") if given.has_sentence else _PROMPT
    template = [
        ChatMessage.from_system(prompt),
        ChatMessage.from_user("{{question}}"),
        ChatMessage.from_system("Answer:"),
    ]
    generator = OpenAIChatGenerator(
        api_key=Secret.from_token(given.key), model=given.model, api_base_url=given.url, timeout=TIMEOUT_S,
        max_retries=0, generation_kwargs={"temperature": 0, "max_tokens": OUTPUT_TOKENS},
    )  # fmt: skip
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(document_store=store, top_k=PASSAGES))
    pipeline.add_component("prompt_builder", ChatPromptBuilder(template=template, required_variables="*"))
    pipeline.add_component("llm", generator)
    pipeline.connect("retriever", "prompt_builder.documents")
    pipeline.connect("prompt_builder.prompt", "llm.messages")

    def answer(question: str) -> tuple[str, list[str]]:
        asked = {"retriever": {"query": question}, "prompt_builder": {"question": question}}
        said = pipeline.run(asked, include_outputs_from={"retriever"})
        return said["llm"]["replies"][0].text or "", [each.id for each in said["retriever"]["documents"]]

    return f"Haystack {version('haystack-ai')}", answer


if __name__ == "__main__":
    serve(make)
