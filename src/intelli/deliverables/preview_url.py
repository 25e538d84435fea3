"""Preview URLs of a site: signed, short-lived, valid for one deliverable and one person."""

import hashlib
import hmac
import html
import io
import mimetypes
import zipfile
from datetime import datetime, timedelta
from uuid import UUID

from intelli.deliverables.errors import FileNotInDeliverable, PreviewExpired
from intelli.deliverables.kinds import kind_of
from intelli.kit import clock
from intelli.kit.context import AuthMethod, Role, Scope, UserContext

_LASTS = timedelta(minutes=15)
_PURPOSE = "intelli-preview-of-credential"
_LARGEST_BYTES = 50_000_000
INDEX = "index.html"
# Scripts of the page run, but as nobody: no cookies, no storage, no requests, no forms, no windows.
POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'self'; style-src 'unsafe-inline' 'self'; "
    "img-src data: 'self'; font-src data: 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "SAMEORIGIN",
    # The page is of no origin, so its own files come to it from another one.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "null",
}
# A page at the top of a window could lead it elsewhere; in a frame, the policy of the page around it forbids that.
_AROUND = "default-src 'none'; frame-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_FRAME = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Preview</title>
<style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }</style>
<iframe title="Preview" sandbox="allow-scripts" referrerpolicy="no-referrer" src="ADDRESS"></iframe></html>
"""


def is_top_level(fetch_dest: str | None) -> bool:
    """Return whether the browser opens the URL as a top-level page. Browsers do not tell over plain http."""
    return fetch_dest == "document"


def build_frame_page(address: str) -> tuple[str, dict[str, str]]:
    """Return a page that shows the preview in a sandboxed frame, and its headers."""
    return _FRAME.replace("ADDRESS", html.escape(address)), {
        "Content-Security-Policy": f"{_AROUND}; frame-ancestors 'none'"
    }


def get_archive_name(kind: str) -> str:
    """Return the name of the zip with the pages of a kind; raise FileNotInDeliverable for kinds without pages."""
    name = kind_of(kind).file_name
    if not name.endswith(".zip"):
        raise FileNotInDeliverable("Only a website or slides can be looked at in this way. Open its files instead.")
    return name


def create_token(secret: str | bytes, who: UserContext, deliverable_id: UUID) -> tuple[str, datetime]:
    """Create a token for the preview of a deliverable, and the time when it expires.

    The token names the credential it was made with, so that it ends with the session, the key or the role.
    """
    expires = (clock.now() + _LASTS).replace(microsecond=0)
    credential = f"{who.session_id or ''}.{who.key_id or ''}"
    said = f"{deliverable_id}.{who.tenant_id}.{who.user_id}.{who.role}.{credential}.{int(expires.timestamp())}"
    return f"{said}.{_sign(secret, said)}", expires


def verify_token(secret: str | bytes, token: str, deliverable_id: UUID) -> UserContext:
    """Return the user context that a token was made for; raise PreviewExpired when it is not valid here."""
    said, _, signature = token.rpartition(".")
    if not hmac.compare_digest(signature.encode(), _sign(secret, said).encode()):
        raise expired_error()
    of, tenant_id, user_id, role, session_id, key_id, expires = said.split(".")
    if UUID(of) != deliverable_id or int(expires) <= clock.now().timestamp():
        raise expired_error()
    return UserContext(
        user_id=UUID(user_id),
        tenant_id=UUID(tenant_id),
        role=Role(role),
        scopes=frozenset({Scope.READ}),
        auth_method=AuthMethod.JWT if session_id else AuthMethod.API_KEY,
        session_id=UUID(session_id) if session_id else None,
        key_id=UUID(key_id) if key_id else None,
    )


def _sign(secret: str | bytes, said: str) -> str:
    """Sign a token. The key also signs other things, so the purpose is part of the signed text."""
    key = secret if isinstance(secret, bytes) else secret.encode()
    return hmac.new(key, f"{_PURPOSE}:{said}".encode(), hashlib.sha256).hexdigest()


def read_archive_file(archive: bytes, path: str) -> tuple[bytes, str]:
    """Read a file of a site and guess its media type; raise FileNotInDeliverable when it is missing or too large."""
    with zipfile.ZipFile(io.BytesIO(archive)) as site:
        try:
            found = site.getinfo(path or INDEX)
        except KeyError:
            raise FileNotInDeliverable("The site has no such file.") from None
        if found.file_size > _LARGEST_BYTES or found.is_dir():
            raise FileNotInDeliverable("The site has no such file.")
        kind = mimetypes.guess_type(found.filename)[0] or "application/octet-stream"
        return site.read(found), kind


def expired_error() -> PreviewExpired:
    """Create the error for a preview URL that is invalid or has expired; both get the same text."""
    return PreviewExpired("This preview has expired. Open it again from the deliverable.")
