"""A real S3 protocol server in a process of its own."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import httpx

from intelli.kit.blobs import Blobs, open_blobs

START_S = 90


@dataclass(frozen=True)
class Bucket:
    """An empty bucket and how to reach it."""

    endpoint: str
    name: str

    @property
    def url(self) -> str:
        return f"s3://{self.name}/some/prefix"

    @property
    def options(self) -> dict[str, str]:
        return {
            "endpoint": self.endpoint,
            "region": "us-east-1",
            "access_key_id": "test",
            "secret_access_key": "test",
            "virtual_hosted_style_request": "false",
        }

    def open(self) -> Blobs:
        return open_blobs(self.url, options=self.options)

    def through(self, port: int) -> "Bucket":
        return replace(self, endpoint=f"http://127.0.0.1:{port}")


@contextmanager
def running(log: Path) -> Iterator[str]:
    """Start the server, yield its address, and end it."""
    port = _free_port()
    endpoint = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
        try:
            _wait_until_up(endpoint)
            yield endpoint
        finally:
            process.kill()


def make_bucket(endpoint: str) -> Bucket:
    bucket = Bucket(endpoint, f"bucket-{uuid4().hex}")
    httpx.put(f"{endpoint}/{bucket.name}", trust_env=False).raise_for_status()
    return bucket


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_up(endpoint: str) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            httpx.get(f"{endpoint}/moto-api/", trust_env=False)
        except httpx.TransportError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return
