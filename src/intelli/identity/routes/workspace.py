"""Routes for the workspace, its members and its invitations."""

from uuid import UUID

from fastapi import APIRouter, Response

from intelli.identity import credentials, invitations, members, store, throttle, wire, workspaces
from intelli.identity.routes.dependencies import Host, OwnAccount, Person, Settings, count_sign_up
from intelli.kit.context import Anonymous
from intelli.kit.etag import etag
from intelli.kit.http import Admin, Cursor, Db, IfMatch, Limit, OnceOnly, Reader
from intelli.kit.wire import Page

router = APIRouter(tags=["workspace"])


@router.get("/workspace")
async def show_workspace(who: Reader, response: Response, db: Db) -> wire.Workspace:
    """The workspace the caller acts in."""
    async with db.begin(who) as tx:
        workspace = wire.Workspace.model_validate(await store.get_workspace(tx))
    response.headers["ETag"] = etag(workspace.version)
    return workspace


@router.patch("/workspace")
async def change_workspace(
    body: wire.ChangeWorkspace, who: Admin, response: Response, db: Db, if_match: IfMatch = None
) -> wire.Workspace:
    """Change the name or the rules of the workspace."""
    async with db.begin(who) as tx:
        workspace = wire.Workspace.model_validate(await workspaces.change(tx, body, if_match=if_match))
    response.headers["ETag"] = etag(workspace.version)
    return workspace


@router.post("/workspaces", status_code=201)
async def found_workspace(
    body: wire.CreateWorkspace, who: Person, db: Db, settings: Settings, once: OnceOnly
) -> wire.Workspace:
    """Found a further workspace; where registration is not open, the installation's owner may. `switch` enters it."""

    async def make() -> wire.Workspace:
        workspace = wire.Workspace.model_validate(await workspaces.create(tx, settings, who, name=body.name))
        await tx.become(who)
        return workspace

    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Workspace, make)


@router.get("/members")
async def list_members(who: Reader, db: Db, cursor: Cursor = None, limit: Limit = 50) -> Page[wire.Member]:
    """The people of the workspace."""
    async with db.begin(who) as tx:
        return await members.list_members(tx, cursor=cursor, limit=limit)


@router.patch("/members/{user_id}")
async def change_member(user_id: UUID, body: wire.ChangeMember, who: Admin, db: Db) -> wire.Member:
    """Give a member another role. Their access tokens stop working at once and are renewed with the new role."""
    async with db.begin(who) as tx:
        return await members.change_role(tx, who, user_id, role=body.role)


@router.delete("/members/{user_id}", status_code=204)
async def remove_member(user_id: UUID, who: OwnAccount, db: Db) -> None:
    """Remove a member, or leave the workspace."""
    async with db.begin(who) as tx:
        await members.remove(tx, who, user_id)


@router.get("/invitations")
async def list_invitations(who: Admin, db: Db, cursor: Cursor = None, limit: Limit = 50) -> Page[wire.Invitation]:
    """Open invitations, newest first."""
    async with db.begin(who) as tx:
        return await invitations.list_invitations(tx, cursor=cursor, limit=limit)


@router.post("/invitations", status_code=201)
async def invite(body: wire.CreateInvitation, who: Admin, db: Db, once: OnceOnly) -> wire.CreatedInvitation:
    """Invite someone by link. The token is shown this once."""
    async with db.begin(who) as tx:
        return await once.answer(tx, wire.CreatedInvitation, lambda: invitations.invite(tx, body))


@router.delete("/invitations/{invitation_id}", status_code=204)
async def withdraw_invitation(invitation_id: UUID, who: Admin, db: Db) -> None:
    """Make an open link worthless."""
    async with db.begin(who) as tx:
        await invitations.withdraw(tx, invitation_id)


@router.post("/invitations/preview")
async def preview_invitation(body: wire.ShowInvitation, db: Db, host: Host) -> wire.InvitationPreview:
    """What the holder of a link may know before accepting."""
    token = body.token.get_secret_value()
    await count_sign_up(db, host)
    async with db.begin(Anonymous(proof=credentials.digest(token))) as tx:
        shown = await invitations.preview(tx, token)
        await throttle.undo_attempt(tx, *throttle.sign_up_keys(host))
    return shown


@router.post("/invitations/accept")
async def accept_invitation(body: wire.ShowInvitation, who: Person, db: Db) -> wire.Belonging:
    """Join the workspace of a link. Use `switch` to enter it."""
    async with db.begin(who) as tx:
        user = await store.get_user(tx, who.user_id)
        return await invitations.accept(tx, body.token.get_secret_value(), user_id=who.user_id, email=user.email)
