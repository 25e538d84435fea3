"""Clients that send too much, too long or the wrong way."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest


@pytest.fixture
async def root(address: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        yield client


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data; boundary=x", "a/b", None])
async def test_a_body_past_the_limit_is_refused_whatever_it_says_it_is(root: httpx.AsyncClient, kind: str | None):
    headers = {"Content-Type": kind} if kind else {}
    answer = await root.post("/api/v1/auth/login", content=b"x" * 3_000_000, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_headers_that_do_not_end_close_the_connection(address: str):
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ")
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        async with asyncio.timeout(60):
            for _ in range(100):
                writer.write(b"a" * 65536)
                await writer.drain()
            await reader.readexactly(1_000_000)
    writer.close()


@pytest.mark.parametrize("path", ["/" + "a" * 300, "/a" * 2500, "/assets/" + "b" * 300 + ".js"])
async def test_a_path_that_no_disk_could_hold_is_an_answer_and_no_fault(root: httpx.AsyncClient, path: str):
    assert (await root.get(path, headers={"Accept": "text/html"})).status_code in {200, 404, 503}


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("POST", "/auth/me", "GET, PATCH"), ("GET", "/auth/login", "POST"), ("PUT", "/api-keys/1", "DELETE")],
)
async def test_a_wrong_method_is_told_which_ones_there_are(
    root: httpx.AsyncClient, method: str, path: str, allowed: str
):
    answer = await root.request(method, f"/api/v1{path}")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == allowed


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/docs"])
async def test_a_head_request_is_answered(root: httpx.AsyncClient, path: str):
    answer = await root.head(path)
    assert answer.status_code == 200
    assert answer.content == b""


async def test_a_plain_curl_gets_the_page(root: httpx.AsyncClient):
    answer = await root.get("/", headers={"Accept": "*/*"})
    assert answer.headers["Content-Type"].startswith("text/html")
