"""HTTP clients of model endpoints: bounded responses, and whether a failed request can have arrived."""

import ssl
from collections.abc import Mapping
from functools import cache

import httpcore
import httpx

from intelli.kit import bounded_http
from intelli.kit.checked_connections import CheckedBackend

CONNECT_S = 10.0
PRIVATE_ALLOWED_BY = "INTELLI_MODEL__PRIVATE_ENDPOINTS"
_ANSWER_BYTES = 64 << 20
# What is raised while nothing has been sent: no name, no route, no trust, no place among the connections.
_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpx.InvalidURL,
    httpx.ProxyError,
)


def create_client(
    *, timeout: httpx.Timeout, base_url: str = "", headers: Mapping[str, str] | None = None, is_guarded: bool = False
) -> httpx.AsyncClient:
    """Create a client whose responses are bounded. It follows no redirects: a request holds the key.

    One that is guarded connects to public addresses only, and through no proxy.
    """
    return httpx.AsyncClient(
        transport=_PublicTransport() if is_guarded else None,
        base_url=base_url,
        headers={**bounded_http.HEADERS, **(headers or {})},
        timeout=timeout,
        follow_redirects=False,
        # A proxy of the environment is for the network, not for servers of this machine.
        mounts={"all://127.0.0.1": None, "all://localhost": None},
        event_hooks={"response": [bounded_http.response_hook(_ANSWER_BYTES)]},
    )


class _PublicTransport(httpx.AsyncHTTPTransport):
    """HTTP transport that resolves a host, checks its addresses, and connects to exactly these."""

    def __init__(self) -> None:
        super().__init__(verify=_tls_context(), trust_env=False)
        backend = CheckedBackend(allow_private=False, setting=PRIVATE_ALLOWED_BY)
        self._pool = httpcore.AsyncConnectionPool(ssl_context=_tls_context(), network_backend=backend)


@cache
def _tls_context() -> ssl.SSLContext:
    # Reading the machine's certificates takes a while in which nobody else is served, so it is done once.
    return ssl.create_default_context()


def may_have_arrived(error: BaseException | None) -> bool:
    """Return False for a failure before anything was sent, whatever exception wraps it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, _NEVER_SENT):
            return False
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return True
