"""A local HTTP server that speaks the OpenAI protocol: chat completions (whole, streamed, with tools and JSON schema),
embeddings and models. Each request takes the next scripted `Reply`; without one, a rule-based model answers.

In a test: `with ModelServer() as server: server.script(Reply(text="…"))`, then `server.base_url`.
From a shell: `python -m tests.support.model_server --port 0`; it prints its address, and takes replies at POST /script.
"""

import argparse
import hashlib
import json
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.support import rule_based_model

from intelli.models import exam

Body = dict[str, Any]
# Long enough for a busy machine; a test that passes never holds a reply that long.
HOLD_S = 120
# What stands in the requests by which the product tests what a model can do.
_SAID = "Say hello.|Count from one to ten|The harbour of Bergen|the weather in Bergen|Hauptstadt von Frankreich"
_OF_TESTS = (*_SAID.split("|"), exam.PLANNED, *(question.text for question in exam.QUESTIONS))


@dataclass(frozen=True)
class Reply:
    """Reply of the server to one request. Without text, data or tool calls, the rule-based model answers."""

    text: str | None = None
    data: Any = None
    tool_calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = "The server had an error."
    finish_reason: str | None = None
    delay_s: float = 0
    chunk: int = 7
    chunk_delay_s: float = 0
    hold_after: int | None = None
    cut_after: int | None = None
    raw: str | None = None
    usage: tuple[int, int] | None = None
    has_usage: bool = True
    when: str | None = None

    @property
    def content(self) -> str | None:
        """The text of the message."""
        return json.dumps(self.data, ensure_ascii=False) if self.data is not None else self.text


def busy(retry_after_s: float = 0) -> Reply:
    """Return a 429, as a provider sends for too many requests."""
    return Reply(status=429, headers={"Retry-After": str(retry_after_s)}, error="Rate limit reached.")


def broken(status: int = 500) -> Reply:
    """Return a server error."""
    return Reply(status=status)


class ModelServer:
    """Fake model provider on a loopback port, served within its `with` block."""

    def __init__(
        self,
        *,
        port: int = 0,
        knows_schema: bool = True,
        knows_json: bool = True,
        limit_field: str = "max_tokens",
        knows_temperature: bool = True,
        answer: Callable[[Body], str] = rule_based_model.answer,
        delay_s: float = 0,
        models: tuple[Mapping[str, Any], ...] = ({"id": "test-model", "object": "model"},),
        list_path: str | None = None,
        list_status: int = 200,
        chat_path: str | None = None,
        most_tokens: int | None = None,
        key: str | None = None,
        calls_tools: bool = False,
        pages: Mapping[str, Any] = {},
    ) -> None:
        self.pages = pages
        self.models = models
        self.list_path = list_path
        self.list_status = list_status
        self.chat_path = chat_path
        self.most_tokens = most_tokens
        self.key = key
        self.calls_tools = calls_tools
        self.knows_schema = knows_schema
        self.knows_json = knows_json
        self.limit_field = limit_field
        self.knows_temperature = knows_temperature
        self.answer = answer
        self.delay_s = delay_s
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        # Set: a reply with `hold_after` goes on to its end. A test clears it before it scripts the next.
        self.goes_on = threading.Event()
        self._at_once = 0
        self._replies: deque[Reply] = deque()
        self._lock = threading.Lock()
        self._http = _Http(self, port)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def base_url(self) -> str:
        """What `INTELLI_MODEL__BASE_URL` is set to."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script(self, *replies: Reply) -> None:
        """Queue replies to the next requests, in order; one with `when` waits for a request that contains this text."""
        with self._lock:
            self._replies.extend(replies)

    def prompts(self) -> list[str]:
        """The text of every request so far."""
        return [rule_based_model.prompt_of(body) for body in self.requests]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.goes_on.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def serve(self) -> None:
        """Serve until the process ends."""
        self._http.serve_forever()

    def take(self, body: Body, headers: dict[str, str]) -> Reply:
        """Remember a request and find its reply."""
        said = json.dumps(body, ensure_ascii=False)
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            for number, reply in enumerate(self._replies):
                if _is_meant(reply, said):
                    del self._replies[number]
                    return reply
        return Reply(delay_s=self.delay_s)

    def count(self, change: int) -> None:
        """Keep count of the requests under way."""
        with self._lock:
            self._at_once += change
            self.most_at_once = max(self.most_at_once, self._at_once)

    def refusal(self, body: Body) -> str | None:
        """What this server does not know of a request, or has no room for."""
        wanted = body.get("max_tokens") or body.get("max_completion_tokens") or 0
        if self.most_tokens is not None and wanted > self.most_tokens:
            return f"This model's maximum context length is {self.most_tokens} tokens. However, you requested {wanted}."
        form = body.get("response_format", {}).get("type", "text")
        if form == "json_schema" and not self.knows_schema:
            return "response_format: json_schema is not supported, use json_object or text"
        if form == "json_object" and not self.knows_json:
            return "response_format: json_object is not supported"
        other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}[self.limit_field]
        if other in body:
            return f"Unsupported parameter: '{other}' is not supported, use '{self.limit_field}' instead."
        if "temperature" in body and not self.knows_temperature:
            return "Unsupported value: 'temperature' does not support 0 with this model."
        return None


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, model: ModelServer, port: int) -> None:
        self.model = model
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _model(self) -> ModelServer:
        assert isinstance(self.server, _Http), "only _Http uses this handler"
        return self.server.model

    def do_GET(self) -> None:
        if self._lacks_key():
            self._json(401, _error("Incorrect API key provided.", 401))
        elif self.path == self._model.list_path or (self._model.list_path is None and self.path.endswith("/models")):
            listed = {"object": "list", "data": list(self._model.models)}
            self._json(self._model.list_status, listed if self._model.list_status == 200 else _error("No.", 400))
        elif self.path in self._model.pages:
            self._json(200, self._model.pages[self.path])
        elif self.path == "/requests":
            self._json(200, {"requests": self._model.requests})
        else:
            self._json(404, _error("There is no such path.", 404))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        if self.path == "/script":
            self._model.script(*(Reply(**_known(each)) for each in body["replies"]))
            self._json(200, {})
        elif self.path.endswith("/embeddings"):
            self._embeddings(body)
        elif self.path in self._model.pages:
            self._json(200, self._model.pages[self.path])
        elif not self.path.endswith(self._model.chat_path or "/chat/completions"):
            self._json(404, _error("There is no such path.", 404))
        elif not body.get("messages") and not self._lacks_key():
            self._json(400, _error("'messages' is too short.", 400))
        else:
            self._model.count(1)
            try:
                self._chat(body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            finally:
                self._model.count(-1)

    def _lacks_key(self) -> bool:
        """Whether the server asks for a key, and the request has another one or none."""
        return self._model.key is not None and self.headers.get("Authorization") != f"Bearer {self._model.key}"

    def _chat(self, body: Body) -> None:
        reply = self._model.take(body, {name.lower(): value for name, value in self.headers.items()})
        if body.get("tools") and self._model.calls_tools and reply.text is None:
            reply = replace(reply, tool_calls=((body["tools"][0]["function"]["name"], {"city": "Bergen"}),))
        time.sleep(reply.delay_s)
        if self._lacks_key():
            self._json(401, _error("Incorrect API key provided.", 401))
        elif reply.status != 200:
            self._json(reply.status, _error(reply.error, reply.status), reply.headers)
        elif (refused := self._model.refusal(body)) is not None:
            self._json(400, _error(refused, 400))
        elif reply.raw is not None:
            self._send(200, reply.raw.encode(), "application/json", reply.headers)
        elif body.get("stream"):
            self._stream(body, reply, _content(self._model, body, reply))
        else:
            self._json(200, _completion(body, reply, _content(self._model, body, reply)), cut_after=reply.cut_after)

    def _stream(self, body: Body, reply: Reply, content: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        parts = [content[at : at + reply.chunk] for at in range(0, len(content), reply.chunk)]
        self._event(_chunk(body, {"role": "assistant", "content": ""}))
        sent = 0
        for part in parts:
            if reply.cut_after is not None and sent >= reply.cut_after:
                self._reset()
                return
            if reply.hold_after is not None and sent >= reply.hold_after:
                self._model.goes_on.wait(HOLD_S)
            time.sleep(reply.chunk_delay_s if sent else 0)
            self._event(_chunk(body, {"content": part}))
            sent += len(part)
        for delta in _tool_deltas(reply):
            self._event(_chunk(body, delta))
        self._event(_chunk(body, {}, finish_reason=_finish(reply)))
        if reply.has_usage and (body.get("stream_options") or {}).get("include_usage"):
            self._event(_chunk(body, None, usage=_usage(body, reply, content)))
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, data: Body) -> None:
        self.wfile.write(f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode())
        self.wfile.flush()

    def _reset(self) -> None:
        """Cut the connection without a word, as a crash does."""
        self.connection.setsockopt(1, 13, struct.pack("ii", 1, 0))
        self.connection.close()

    def _embeddings(self, body: Body) -> None:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        rows = [{"object": "embedding", "index": n, "embedding": _vector(text)} for n, text in enumerate(texts)]
        tokens = sum(len(text) // 4 + 1 for text in texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        self._json(200, {"object": "list", "data": rows, "model": body["model"], "usage": usage})

    def _json(self, status: int, data: Any, headers: Mapping[str, str] = {}, *, cut_after: int | None = None) -> None:
        self._send(status, json.dumps(data).encode(), "application/json", headers, cut_after=cut_after)

    def _send(
        self, status: int, payload: bytes, kind: str, headers: Mapping[str, str], *, cut_after: int | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(payload)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload[:cut_after])
        if cut_after is not None:
            self.wfile.flush()
            self._reset()
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Silent: tests read `requests`."""


def _is_meant(reply: Reply, said: str) -> bool:
    """Whether a reply is for a request. A model is tested at first use: replies for runs are not for that."""
    if reply.when not in _OF_TESTS and any(words in said for words in _OF_TESTS):
        return False
    return reply.when is None or reply.when in said


def _content(server: ModelServer, body: Body, reply: Reply) -> str:
    if reply.content is not None:
        return reply.content
    return "" if reply.tool_calls else server.answer(body)


def _completion(body: Body, reply: Reply, content: str) -> Body:
    message: Body = {"role": "assistant", "content": content}
    if reply.tool_calls:
        message["tool_calls"] = _tool_calls(reply)
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply)}
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [choice],
    }
    return {**answer, "usage": _usage(body, reply, content)} if reply.has_usage else answer


def _chunk(body: Body, delta: Body | None, *, finish_reason: str | None = None, usage: Body | None = None) -> Body:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish_reason}]
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
    return {**chunk, "choices": choices, "usage": usage}


def _finish(reply: Reply) -> str:
    return reply.finish_reason or ("tool_calls" if reply.tool_calls else "stop")


def _tool_calls(reply: Reply) -> list[Body]:
    return [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for number, (name, arguments) in enumerate(reply.tool_calls)
    ]


def _tool_deltas(reply: Reply) -> list[Body]:
    return [{"tool_calls": [{"index": number, **call}]} for number, call in enumerate(_tool_calls(reply))]


def _usage(body: Body, reply: Reply, content: str) -> Body:
    prompt, completion = reply.usage or (len(rule_based_model.prompt_of(body)) // 4 + 1, len(content) // 4 + 1)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _vector(text: str) -> list[float]:
    return [byte / 255 + 0.001 for byte in hashlib.sha256(text.encode()).digest()]


def _error(message: str, status: int) -> Body:
    return {"error": {"message": message, "type": "error", "param": None, "code": str(status)}}


def _known(given: Body) -> Body:
    names = {each.name for each in fields(Reply)}
    return {name: value for name, value in given.items() if name in names}


def main() -> None:
    """Serve as a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--no-schema", action="store_true")
    parser.add_argument("--delay", type=float, default=0, help="seconds before each reply, to watch a run at work")
    given = parser.parse_args()
    server = ModelServer(port=given.port, knows_schema=not given.no_schema, delay_s=given.delay)
    sys.stdout.write(f"{server.base_url}\n")
    sys.stdout.flush()
    server.serve()


if __name__ == "__main__":
    main()
