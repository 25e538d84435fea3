"""Previewing a site: an address that holds for a while, for one deliverable and one person, and opens nothing else."""

import hashlib
import hmac
import io
import mimetypes
import zipfile
from datetime import datetime, timedelta
from uuid import UUID

from intelli.deliverables.errors import FileNotInDeliverable, PreviewExpired
from intelli.deliverables.kinds import kind_of
from intelli.kit import clock
from intelli.kit.context import System

_LASTS = timedelta(minutes=15)
_PURPOSE = "intelli-preview"
_LARGEST_BYTES = 50_000_000
INDEX = "index.html"
# Scripts of the page run, but as nobody: no cookies, no storage, no requests, no forms, no windows.
POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'self'; style-src 'unsafe-inline' 'self'; "
    "img-src data: 'self'; font-src data: 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)


def archive_of(kind: str) -> str:
    """The file with the pages of a kind: websites and slides have one."""
    name = kind_of(kind).file_name
    if not name.endswith(".zip"):
        raise FileNotInDeliverable("Only a website or slides can be looked at in this way. Open its files instead.")
    return name


def mint(secret: str | bytes, who: System, deliverable_id: UUID) -> tuple[str, datetime]:
    """A token for the preview of a deliverable, and until when it holds."""
    expires = (clock.now() + _LASTS).replace(microsecond=0)
    said = f"{deliverable_id}.{who.tenant_id}.{who.user_id}.{int(expires.timestamp())}"
    return f"{said}.{_signature(secret, said)}", expires


def read(secret: str | bytes, token: str, deliverable_id: UUID) -> System:
    """Who a token was made for; raises PreviewExpired when it does not hold for this deliverable."""
    said, _, signature = token.rpartition(".")
    if not hmac.compare_digest(signature.encode(), _signature(secret, said).encode()):
        raise _expired()
    of, tenant_id, user_id, expires = said.split(".")
    if UUID(of) != deliverable_id or int(expires) <= clock.now().timestamp():
        raise _expired()
    return System(UUID(tenant_id), UUID(user_id))


def _signature(secret: str | bytes, said: str) -> str:
    """The key signs other things as well: what it is for is part of what is signed."""
    key = secret if isinstance(secret, bytes) else secret.encode()
    return hmac.new(key, f"{_PURPOSE}:{said}".encode(), hashlib.sha256).hexdigest()


def entry(archive: bytes, path: str) -> tuple[bytes, str]:
    """A file of a site, and its kind."""
    with zipfile.ZipFile(io.BytesIO(archive)) as site:
        try:
            found = site.getinfo(path or INDEX)
        except KeyError:
            raise FileNotInDeliverable("The site has no such file.") from None
        if found.file_size > _LARGEST_BYTES or found.is_dir():
            raise FileNotInDeliverable("The site has no such file.")
        kind = mimetypes.guess_type(found.filename)[0] or "application/octet-stream"
        return site.read(found), kind


def _expired() -> PreviewExpired:
    return PreviewExpired("This preview has expired. Open it again from the deliverable.")
