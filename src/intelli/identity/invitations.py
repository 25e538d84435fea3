"""Invitations by link: the token lets its holder join a workspace once, until it expires."""

from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.identity import credentials, store, wire
from intelli.identity.credentials import CredentialKind
from intelli.identity.errors import AlreadyMember, InvitationForAnother, InvitationNotFound
from intelli.identity.tables import Invitation
from intelli.kit import pagination
from intelli.kit.context import Anonymous, Role, System
from intelli.kit.db import Tx
from intelli.kit.wire import Page

_DAY_S = 24 * 60 * 60


async def invite(tx: Tx, request: wire.CreateInvitation) -> wire.CreatedInvitation:
    """Create an invitation. The answer is the only place that shows its token, which is stored as a hash."""
    token = credentials.mint(CredentialKind.INVITATION)
    row = await store.add_invitation(
        tx,
        role=request.role,
        email=request.email.lower() if request.email else None,
        token_hash=credentials.digest(token),
        lifetime_s=request.expires_in_days * _DAY_S,
    )
    await record(tx, EventType.SETTINGS_CHANGE, entity=("invitation", row.id), change="invited", role=row.role)
    return wire.CreatedInvitation(**wire.Invitation.model_validate(row).model_dump(), token=token)


async def list_invitations(tx: Tx, *, cursor: str | None, limit: int) -> Page[wire.Invitation]:
    """List open invitations, newest first."""
    rows = await store.list_open_invitations(tx, after=pagination.decode_id(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=wire.Invitation.model_validate, key=lambda row: row.id)


async def withdraw(tx: Tx, invitation_id: UUID) -> None:
    """Delete an open invitation. Raises InvitationNotFound."""
    if not await store.remove_invitation(tx, invitation_id):
        raise InvitationNotFound("There is no such open invitation.")
    await record(tx, EventType.SETTINGS_CHANGE, entity=("invitation", invitation_id), change="withdrawn")


async def preview(tx: Tx, token: str) -> wire.InvitationPreview:
    """Return the workspace, role, address and expiry of an invitation for the holder of its token."""
    invitation = await _get_open(tx, token)
    await tx.become(System(tenant_id=invitation.tenant_id))
    workspace = await store.get_workspace(tx)
    return wire.InvitationPreview(
        workspace_name=workspace.name,
        role=Role(invitation.role),
        email=invitation.email,
        expires_at=invitation.expires_at,
    )


async def check(tx: Tx, token: str, *, email: str) -> None:
    """Raise unless the token admits this e-mail address. The transaction's context is restored afterwards."""
    who = tx.who
    await _get_open_for(tx, token, user_id=tx.person_id, email=email)
    await tx.become(who)


async def accept(tx: Tx, token: str, *, user_id: UUID, email: str) -> wire.Belonging:
    """Join the workspace of an invitation; the transaction continues in that workspace.

    Raises InvitationNotFound, InvitationForAnother or AlreadyMember.
    """
    invitation = await _get_open_for(tx, token, user_id=user_id, email=email)
    await tx.become(System(tenant_id=invitation.tenant_id, user_id=user_id))
    if not await store.use_invitation(tx, invitation.id):
        raise _not_found()
    role = Role(invitation.role)
    if not await store.add_membership(tx, user_id=user_id, role=role):
        raise AlreadyMember("You are a member of this workspace already.")
    await record(tx, EventType.SETTINGS_CHANGE, entity=("user", user_id), change="joined", role=role)
    workspace = await store.get_workspace(tx)
    return wire.Belonging(workspace_id=workspace.id, name=workspace.name, role=role)


async def _get_open_for(tx: Tx, token: str, *, user_id: UUID, email: str) -> Invitation:
    await tx.become(Anonymous(proof=credentials.digest(token), user_id=user_id))
    invitation = await _get_open(tx, token)
    if invitation.email not in {None, email}:
        raise InvitationForAnother("This invitation is for another e-mail address. Ask for one of your own.")
    return invitation


async def _get_open(tx: Tx, token: str) -> Invitation:
    invitation = await store.find_open_invitation(tx, credentials.digest(token))
    if invitation is None:
        raise _not_found()
    return invitation


def _not_found() -> InvitationNotFound:
    return InvitationNotFound("This invitation was used, withdrawn or has expired. Ask for a new link.")
