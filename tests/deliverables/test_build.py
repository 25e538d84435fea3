"""What a job builds after the run: told when it is there, exported once, looked at without rights, stopped, retried."""

from typing import Any

import httpx
from tests.deliverables.test_report_run import TEXTS, deliverables
from tests.support.jobs import until
from tests.support.runs import FakeLibrary, ask, read_stream, researching, until_rests
from tests.support.server import Person, Visit

from intelli.app import App
from intelli.kit.jobs import Queue

Json = dict[str, Any]


async def test_a_website_follows_the_report_and_can_be_looked_at_and_exported(app: App, owner: Person, visit: Visit):
    async with researching(app, library=FakeLibrary(TEXTS)):
        run = await ask(owner, deliverable_type="REPORT_WITH_WEBSITE")
        events = [each["event"] for each in await read_stream(owner.client, run["id"])]
        site = await _ended(owner, run_id=run["id"], kind="WEBSITE")
        await _insist_on_one_export(owner, (await deliverables(owner, run_id=run["id"], kind="REPORT"))[0])
    assert site["status"] == "completed", site
    types = [event["type"] for event in events if event["type"] != "heartbeat"]
    (done,) = [event for event in events if event["type"] == "done"]
    assert done["has_async_entities_pending"]
    assert types.index("done") < len(types) - 1
    assert types[-1] == "references_found"
    assert events[-1]["references"][0]["entity_type"] == "WEBSITE"
    assert (await owner.client.get(f"/entities/{site['entity_id']}")).json()["status"] == "ready"
    await _insist_on_preview(owner, visit(), site)


async def test_what_was_answered_is_delivered_later_without_a_run(app: App, owner: Person):
    conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
    path = f"/conversations/{conversation['id']}/messages"
    async with researching(app, library=FakeLibrary(TEXTS)):
        said = {"content": "What did revenue come to and how many people were employed?"}
        asked = (await owner.client.post(path, json=said)).raise_for_status().json()
        await until_rests(owner, asked["run"])
        answer = (await owner.client.get(path)).raise_for_status().json()["items"][-1]
        begun = await owner.client.post(f"/messages/{answer['id']}/deliverables", json={"kind": "REPORT"})
        assert begun.status_code == 202
        made = await _ended(owner, run_id=asked["run"]["id"])
    assert (made["status"], made["id"], made["version"]) == ("completed", begun.json()["id"], 1)
    refused = await owner.client.post(f"/messages/{asked['message']['id']}/deliverables", json={"kind": "REPORT"})
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_deliver")
    assert len((await owner.client.get("/runs")).json()["items"]) == 1


async def test_a_deliverable_that_nobody_builds_can_be_cancelled_and_tried_again(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(TEXTS), queues=(Queue.RUNS,)):
        run = await until_rests(owner, await ask(owner, deliverable_type="WEBSITE"))
    (waiting,) = await deliverables(owner, run_id=run["id"])
    assert waiting["status"] == "pending"
    assert waiting["sections_done"] == waiting["sections_total"] > 0
    assert waiting["started_at"] == waiting["created_at"]
    path = f"/deliverables/{waiting['id']}"
    assert (await owner.client.post(f"{path}/exports", json={"format": "md"})).status_code == 409
    assert (await owner.client.post(f"{path}/retry")).status_code == 409
    assert (await owner.client.post(f"{path}/cancel")).raise_for_status().json()["status"] == "cancelled"
    assert (await owner.client.post(f"{path}/cancel")).json()["code"] == "deliverable_has_ended"
    async with researching(app):
        await owner.client.post(f"{path}/retry")
        assert (await _ended(owner, run_id=run["id"]))["status"] == "completed"


async def _ended(owner: Person, **which: str) -> Json:
    async def ended() -> bool:
        return (await deliverables(owner, **which))[0]["status"] in {"completed", "failed", "cancelled"}

    await until(ended)
    return (await deliverables(owner, **which))[0]


async def _insist_on_one_export(owner: Person, report: Json) -> None:
    path = f"/deliverables/{report['id']}/exports"
    asked = [(await owner.client.post(path, json={"format": "md"})).raise_for_status().json() for _ in range(2)]
    assert asked[0]["id"] == asked[1]["id"]

    async def made() -> bool:
        return (await owner.client.get(path)).json()[0]["status"] in {"completed", "failed"}

    await until(made)
    (export,) = (await owner.client.get(path)).json()
    file = await owner.client.get(f"/deliverables/{report['id']}/files/{export['file']['name']}")
    assert "412.7 million euros" in file.raise_for_status().text
    assert (await owner.client.post(path, json={"format": "odt"})).status_code == 422


async def _insist_on_preview(owner: Person, nobody: httpx.AsyncClient, site: Json) -> None:
    """The address alone opens the site, for a frame that may do nothing; no other address does."""
    preview = (await owner.client.get(f"/deliverables/{site['id']}/preview")).raise_for_status().json()
    path = preview["url"].removeprefix("/api/v1")
    page = (await nobody.get(path)).raise_for_status()
    assert page.headers["Content-Security-Policy"].startswith("sandbox allow-scripts;")
    assert "allow-same-origin" not in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert page.headers["Content-Type"].startswith("text/html")
    assert (await nobody.get(path.replace("index.html", "..%2Findex.html"))).status_code == 422
    token = path.split("/")[-2]
    assert (await nobody.get(path.replace(token, f"x{token}"))).status_code == 422
    assert (await nobody.get(path.replace(token, token[::-1]))).status_code == 404
    other = site["id"][:-1] + ("0" if site["id"][-1] != "0" else "1")
    assert (await nobody.get(path.replace(site["id"], other))).status_code == 404
    assert (await nobody.get(f"/deliverables/{site['id']}/files/site.zip")).status_code == 401
    alone = (await nobody.get(path, headers={"Sec-Fetch-Dest": "document"})).raise_for_status()
    assert f'sandbox="allow-scripts" referrerpolicy="no-referrer" src="{preview["url"]}"' in alone.text
    assert "default-src 'none'; frame-src 'self'" in alone.headers["Content-Security-Policy"]
    await _insist_that_the_preview_ends(owner, nobody, site)


async def _insist_that_the_preview_ends(owner: Person, nobody: httpx.AsyncClient, site: Json) -> None:
    """With the session it was made in, and with the key it was made with."""
    path = f"/deliverables/{site['id']}/preview"
    key = (await owner.client.post("/api-keys", json={"name": "preview"})).raise_for_status().json()
    by_key = (await nobody.get(path, headers={"X-API-Key": key["key"]})).raise_for_status().json()
    elsewhere = Person(nobody, owner.email, {})
    await elsewhere.sign_in()
    by_session = (await elsewhere.client.get(path)).raise_for_status().json()
    del nobody.headers["Authorization"]
    pages = [preview["url"].removeprefix("/api/v1") for preview in (by_key, by_session)]
    assert [(await nobody.get(page)).status_code for page in pages] == [200, 200]
    await nobody.post("/auth/logout", json={"refresh_token": elsewhere.tokens["refresh_token"]})
    (await owner.client.delete(f"/api-keys/{key['id']}")).raise_for_status()
    answers = [await nobody.get(page) for page in pages]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(404, "preview_expired")] * 2
