"""The model server of the tests, as other tests use it: in a process of its own, with tools and embeddings."""

import subprocess
import sys

import httpx
from tests.support.model_server import ModelServer, Reply


def test_it_runs_as_a_process_and_takes_replies_over_http() -> None:
    command = [sys.executable, "-m", "tests.support.model_server", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            base_url = process.stdout.readline().strip()
            root = base_url.removesuffix("/v1")
            httpx.post(f"{root}/script", json={"replies": [{"text": "Scripted."}]}).raise_for_status()
            body = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
            first = httpx.post(f"{base_url}/chat/completions", json=body).json()
            second = httpx.post(f"{base_url}/chat/completions", json=body).json()
            seen = httpx.get(f"{root}/requests").json()["requests"]
        finally:
            process.kill()

    assert first["choices"][0]["message"]["content"] == "Scripted."
    assert second["choices"][0]["message"]["content"] == "The sources do not answer this."
    assert [each["messages"][0]["content"] for each in seen] == ["Hello", "Hello"]


def test_it_speaks_tools_models_and_embeddings(server: ModelServer) -> None:
    server.script(Reply(tool_calls=(("search", {"query": "x"}),)))
    body = {"model": "m", "messages": [{"role": "user", "content": "Find x."}], "tools": []}
    (choice,) = httpx.post(f"{server.base_url}/chat/completions", json=body).json()["choices"]
    models = httpx.get(f"{server.base_url}/models").json()
    given = {"model": "m", "input": ["a", "b", "a"]}
    vectors = [row["embedding"] for row in httpx.post(f"{server.base_url}/embeddings", json=given).json()["data"]]

    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "search", "arguments": '{"query": "x"}'}
    assert models["data"][0]["id"] == "test-model"
    assert vectors[0] == vectors[2] != vectors[1]


def test_a_reply_can_wait_for_the_request_it_is_meant_for(server: ModelServer) -> None:
    server.script(Reply(text="for bees", when="bees"), Reply(text="for all"))

    def ask(text: str) -> str:
        body = {"model": "m", "messages": [{"role": "user", "content": text}]}
        answer = httpx.post(f"{server.base_url}/chat/completions", json=body).json()
        content: str = answer["choices"][0]["message"]["content"]
        return content

    assert ask("about ants") == "for all"
    assert ask("about bees") == "for bees"
