"""How smoothly does a long answer stream onto the page, beside drawing the whole text anew with every piece of it?"""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.async_api import Page, async_playwright

from bench.figures import Comparison, Size

QUESTION = "How many frames does the browser draw while a 100 kB answer streams in within 10 seconds? More is smoother."
_UI = Path(__file__).parents[1] / "ui"
_WAYS = {"the whole text drawn anew": "whole", "only the last block drawn anew": "blocks"}
_SIZES = (20_000, 100_000)
_SECONDS = 10
_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]
_WAIT_MS = 300_000


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Both ways, for a usual answer and for a long one, in the same browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("There is no chromium to measure with. Run `make chromium` first.")
    with tempfile.TemporaryDirectory() as built:
        await asyncio.to_thread(_build, Path(built))
        with _served(Path(built)) as address:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=chromium, args=_FLAGS)
                page = await browser.new_page()
                page.set_default_timeout(_WAIT_MS)
                await page.goto(address)
                wanted, seconds = size.of(_SIZES, (2_000,)), size.of(_SECONDS, 1)
                compared = [line for each in wanted for line in await _compare(page, each, seconds)]
                await browser.close()
    return compared


async def _compare(page: Page, size: int, seconds: int) -> list[Comparison]:
    frames: dict[str, dict[str, Any]] = {}
    for name, way in _WAYS.items():
        frames[name] = await page.evaluate(
            "wish => window.stream(wish)", {"way": way, "bytes": size, "seconds": seconds}
        )
    return [
        Comparison(
            f"{size // 1000} kB: frames", "frames/s", {name: each["perSecond"] for name, each in frames.items()}
        ),
        Comparison(
            f"{size // 1000} kB: longest frame", "ms", {name: each["longestMs"] for name, each in frames.items()}
        ),
    ]


def _build(out: Path) -> None:
    node = shutil.which("node")
    if node is None:
        raise SystemExit("There is no node to build the page with.")
    vite = ["node_modules/vite/bin/vite.js", "build", "--config", "bench/vite.config.ts", "--emptyOutDir"]
    subprocess.run([node, *vite, "--outDir", str(out)], cwd=_UI, check=True, stdout=subprocess.DEVNULL, timeout=300)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
