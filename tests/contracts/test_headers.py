"""The headers that every answer has to carry, tried with every operation of the OpenAPI file."""

import httpx
import pytest
from tests.contracts.caller import Caller
from tests.contracts.conftest import Household
from tests.contracts.routes import Operation, operations, quoted, random_ids
from tests.support.server import Visit

_CREDENTIALS = {"authorization", "x-api-key", "cookie"}
_EVERYWHERE = (
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy",
    "Permissions-Policy",
    "Content-Security-Policy",
    "X-Request-ID",
)


def check(answer: httpx.Response, where: object) -> None:
    """No shared cache may keep the answer, and none may give it to the bearer of another credential."""
    caching = {part.strip() for part in answer.headers["Cache-Control"].split(",")}
    assert caching & {"no-store", "private"}, where
    assert "public" not in caching, where
    varied = {name.strip().lower() for name in answer.headers["Vary"].split(",")}
    assert varied >= _CREDENTIALS, where
    for name in _EVERYWHERE:
        assert name in answer.headers, (where, name)
        assert len(answer.headers.get_list(name)) == 1, (where, name)


async def test_every_operation_says_who_may_keep_its_answer(ours: Household, visit: Visit):
    callers = (Caller(ours.owner.client), Caller(visit()))
    for operation in operations():
        for caller in callers:
            for path in _paths(operation, ours):
                check(await caller.send(operation, path, params=operation.needed()), (operation.id, path))


async def test_no_method_and_no_address_of_the_api_is_without(ours: Household):
    caller = Caller(ours.owner.client)
    for operation in operations():
        for method in ("HEAD", "OPTIONS"):
            path = _paths(operation, ours)[0]
            check(await caller.ask(method, path, may_be_unready=True), (method, operation.id))
    for path in ("/api", "/api/v1", "/api/v1/nothing", "/api/openapi.json", "/api/v1/%ff", "/api/v1/documents/"):
        check(await caller.ask("GET", path), path)


async def test_an_etag_goes_on_saving_the_download(ours: Household):
    client = ours.owner.client
    path = f"/artifacts/{ours.artifact['sha256']}/content"
    first = (await client.get(path)).raise_for_status()
    check(first, path)
    again = await client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.headers["Cache-Control"]) == (304, "private, no-cache")
    check(again, path)
    assert (await client.get("/auth/me")).headers["Cache-Control"] == "private, no-cache"
    assert (await client.get("/api-keys")).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/settings/keys", "/index.html"])
async def test_the_page_is_asked_for_anew_and_its_files_are_kept(ours: Household, path: str):
    root = ours.owner.client.base_url.copy_with(path=path)
    page = await ours.owner.client.get(root, headers={"Accept": "text/html"})
    if page.status_code == 503:
        pytest.skip("the UI is not built")
    assert page.headers["Cache-Control"] == "no-cache"
    script = page.text.partition('src="/assets/')[2].partition('"')[0]
    asset = await ours.owner.client.get(root.copy_with(path=f"/assets/{script}"))
    assert asset.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Vary" not in asset.headers


def _paths(operation: Operation, household: Household) -> list[str]:
    """With ids of nothing; what only reads also with those of the household."""
    paths = [operation.at(quoted(random_ids(operation)))]
    if not operation.is_change:
        paths.append(operation.at(quoted(household.ids())))
    return paths
