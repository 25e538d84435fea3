"""Errors of identity."""

from intelli.kit.errors import Conflict, Forbidden, Invalid, NotFound, Throttled, Unauthenticated


class WrongCredentials(Unauthenticated):
    """The e-mail address or the password is wrong; the two answer alike."""

    code = "wrong_credentials"


class InvalidToken(Unauthenticated):
    """The access token is not one of ours, or has expired."""

    code = "invalid_token"


class InvalidApiKey(Unauthenticated):
    """The API key is unknown, revoked or expired."""

    code = "invalid_api_key"


class TwoCredentials(Unauthenticated):
    """A token and an API key came together."""

    code = "two_credentials"


class SignInRequired(Unauthenticated):
    """No credential came with the request."""

    code = "sign_in_required"


class InvalidRefreshToken(Unauthenticated):
    """The refresh token is unknown, expired or of an ended session."""

    code = "invalid_refresh_token"


class RefreshTokenReused(Unauthenticated):
    """A refresh token was shown twice, so its session was ended."""

    code = "refresh_token_reused"


class TooManyAttempts(Throttled):
    """Too many failed attempts for this account or from this address."""

    code = "too_many_attempts"


class RegistrationClosed(Forbidden):
    """New accounts are not open to this visitor."""

    code = "registration_closed"


class PersonRequired(Forbidden):
    """Only a signed-in person may do this, not an API key."""

    code = "person_required"


class NoWorkspace(Forbidden):
    """The account belongs to no workspace."""

    code = "no_workspace"


class RoleTooLow(Forbidden):
    """The caller's role does not reach for this."""

    code = "role_too_low"


class EmailTaken(Conflict):
    """There is an account with this e-mail address."""

    code = "email_taken"


class AlreadyMember(Conflict):
    """The account is a member of the workspace already."""

    code = "already_member"


class LastOwner(Conflict):
    """A workspace must keep an owner."""

    code = "last_owner"


class WrongPassword(Invalid):
    """The current password is wrong."""

    code = "wrong_password"


class WeakPassword(Invalid):
    """The password is too easy to guess."""

    code = "weak_password"


class ScopesTooWide(Invalid):
    """An API key may not reach further than the one who makes it."""

    code = "scopes_too_wide"


class ExpiryInPast(Invalid):
    """The expiry lies in the past."""

    code = "expiry_in_past"


class ExpiryTooFar(Invalid):
    """The expiry lies further ahead than a key may live."""

    code = "expiry_too_far"


class InvitationNotFound(NotFound):
    """The invitation is unknown, used, withdrawn or expired."""

    code = "invitation_not_found"


class InvitationForAnother(Forbidden):
    """The invitation names another e-mail address."""

    code = "invitation_for_another"


class MemberNotFound(NotFound):
    """Nobody of that id is in the workspace."""

    code = "member_not_found"


class WorkspaceNotFound(NotFound):
    """The caller belongs to no such workspace."""

    code = "workspace_not_found"


class SessionNotFound(NotFound):
    """The caller has no such session."""

    code = "session_not_found"


class ApiKeyNotFound(NotFound):
    """The caller has no such key."""

    code = "api_key_not_found"


class AccountNotFound(NotFound):
    """There is no account of this address; only the operator is told."""

    code = "account_not_found"
