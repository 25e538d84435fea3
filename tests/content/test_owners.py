"""Owners: the same bytes are each owner's own affair, and nobody learns from theirs that somebody else has them."""

from uuid import UUID, uuid4

from sqlalchemy import text
from tests.content.makers import NO_GRACE, commit, kept_blobs, move, send, sha256_of
from tests.support.server import Person

from intelli.app import App
from intelli.content import gc
from intelli.content.ownership import ContentOwner
from intelli.entities import content
from intelli.entities.entity_types import EntityType
from intelli.kit.context import System
from intelli.kit.room import WorkspaceAccess

SECRET = b"What shall we offer for Nordwind?"
SHA256 = sha256_of(SECRET)


async def test_who_uploads_what_somebody_has_in_private_learns_nothing_from_it(app: App, owner: Person, member: Person):
    await _keep_private(app, owner)
    for path in (f"/artifacts/{SHA256}", f"/artifacts/{SHA256}/content"):
        assert (await member.client.get(path)).status_code == 404
    known, unknown = [await _commit(member, sha256) for sha256 in (SHA256, "0" * 64)]
    assert (known[0], known[1]["code"]) == (unknown[0], unknown[1]["code"])
    first = await send(member, SECRET, filename="mine.txt")
    me = (await member.me())["user"]["id"]
    told = first.json()
    assert first.status_code == 201
    assert (told["filename"], told["created_by"], told["reference_count"]) == ("mine.txt", me, 0)
    assert (await send(member, SECRET)).status_code == 200


async def test_the_database_shows_private_rows_to_their_person_alone(app: App, owner: Person, member: Person):
    await _keep_private(app, owner)
    seen = {}
    for person in (owner, member):
        async with app.db.begin(await _who(person)) as tx:
            seen[person.email] = (await tx.session.scalars(text("select sha256 from artifacts"))).all()
            changed = await tx.session.execute(text("update artifacts set filename = 'x' returning sha256"))
            assert list(changed.scalars()) == seen[person.email]
    assert seen == {owner.email: [SHA256], member.email: []}


async def test_what_the_workspace_lets_go_its_other_owner_keeps(app: App, owner: Person, member: Person):
    await _keep_private(app, owner, is_held=True)
    (await send(member, SECRET)).raise_for_status()
    premises = await _premises(app, owner)
    await gc.collect(premises, NO_GRACE)
    assert (await member.client.get(f"/artifacts/{SHA256}")).status_code == 404
    assert SHA256 in await kept_blobs(premises)
    assert (await owner.client.get(f"/artifacts/{SHA256}/content")).raise_for_status().content == SECRET


async def test_nobody_makes_a_pointer_where_those_of_a_conversation_are(owner: Person):
    manifest = await commit(owner, {"a.txt": b"A"})
    body = {"manifest_sha256": manifest["sha256"], "expected": None}
    for namespace in (f"conversation-{uuid4()}", f"run-{uuid4()}"):
        refused = await owner.client.put(f"/pointers/{namespace}/latest-report", json=body)
        assert (refused.status_code, refused.json()["code"]) == (404, "pointer_not_found")


async def test_a_deleted_pointer_goes_after_its_grace_with_all_that_only_it_led_to(app: App, owner: Person):
    manifest = await commit(owner, {"a.txt": SECRET})
    (await move(owner, manifest["sha256"])).raise_for_status()
    (await owner.client.delete("/pointers/team/report")).raise_for_status()
    premises = await _premises(app, owner)
    assert (await gc.count_garbage(premises, NO_GRACE)).pointers == 1
    assert (await owner.client.get("/pointers/team/report/history")).status_code == 200
    await gc.collect(premises, NO_GRACE)
    for path in ("/pointers/team/report/history", f"/manifests/{manifest['sha256']}", f"/artifacts/{SHA256}"):
        assert (await owner.client.get(path)).status_code == 404, path
    assert await kept_blobs(premises) == set()


async def _keep_private(app: App, person: Person, *, is_held: bool = False) -> None:
    """Content of a person's own, held by an entity where it is to last."""
    who = await _who(person)
    assert who.user_id is not None
    contents = {"question": content.EntityContent(EntityType.USER_QUERY_PART, SECRET, "text/plain", "question.txt")}
    placed = await content.place(app.blobs, who.tenant_id, contents)
    async with app.db.begin(who) as tx:
        await content.save(tx, contents, placed, owner=ContentOwner(who.user_id))
    if is_held:
        note = {"entity_type": "GENERATED_CONTENT", "file_name": "n.txt", "mimetype": "text/plain"}
        made = await person.client.post("/entities", json={**note, "content_artifact_id": SHA256})
        made.raise_for_status()


async def _commit(person: Person, sha256: str) -> tuple[int, dict[str, str]]:
    answer = await person.client.post("/manifests", json={"tree": {"a.txt": {"sha256": sha256}}})
    return answer.status_code, answer.json()


async def _who(person: Person) -> System:
    me = await person.me()
    return System(UUID(me["workspace"]["id"]), UUID(me["user"]["id"]))


async def _premises(app: App, person: Person) -> WorkspaceAccess:
    tenant_id = (await _who(person)).tenant_id
    return WorkspaceAccess(tenant_id, app.blobs, lambda: app.db.begin(System(tenant_id)))
