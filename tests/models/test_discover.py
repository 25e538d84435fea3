"""Looking for model servers on this machine: what answers as one is found and told apart, our own server is not."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from tests.models.makers import connect
from tests.support.model_server import ModelServer
from tests.support.server import Person

from intelli.app import App
from intelli.kit.context import System
from intelli.models import discover, show
from intelli.models.ports import ServerPlace
from intelli.models.wire import Provider


def _port(server: ModelServer) -> int:
    return int(server.base_url.rsplit(":", 1)[1].partition("/")[0])


@contextmanager
def _web_page() -> Iterator[int]:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>Welcome</html>")

        def log_message(self, *_: object) -> None:
            """Silent."""

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as page:
        thread = threading.Thread(target=page.serve_forever, daemon=True)
        thread.start()
        yield page.server_address[1]
        page.shutdown()
        thread.join()


async def test_servers_are_told_apart_by_their_answers_and_others_left_out():
    owned = [({"id": "a", "owned_by": owner},) for owner in ("library", "llamacpp", "vllm", "someone")]
    with (
        ModelServer(models=owned[0]) as ollama,
        ModelServer(models=owned[1]) as llama,
        ModelServer(models=owned[2]) as vllm,
        ModelServer(models=owned[3]) as studio,
        ModelServer() as ours,
        _web_page() as page,
    ):
        ports = [_port(each) for each in (ollama, llama, vllm, studio, ours)]
        places = [ServerPlace(port, Provider.LM_STUDIO) for port in (*ports, page)]
        found = await discover.discover(places, own_port=ports[4])
    assert [each.provider for each in found.items] == ["ollama", "llama_cpp", "vllm", "lm_studio"]
    assert [model.name for model in found.items[0].models] == ["a"]
    assert len(found.looked_at) == 5


async def test_a_server_that_is_connected_says_so(app: App, owner: Person):
    with ModelServer() as server:
        endpoint = await connect(owner, server)
        async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
            known = await show.list_endpoints(tx)
        found = await discover.discover([ServerPlace(_port(server), Provider.OLLAMA)], own_port=0, known=known)
    assert [str(each.endpoint_id) for each in found.items] == [endpoint["id"]]


async def test_the_route_tells_where_was_looked(owner: Person):
    found = (await owner.client.get("/models/found")).raise_for_status().json()
    assert "http://127.0.0.1:11434/v1" in found["looked_at"]
    assert "http://127.0.0.1:8000/v1" not in found["looked_at"]  # where this server would listen
