"""HTTP clients of model endpoints: bounded responses, and whether a failed request can have arrived."""

from collections.abc import Mapping

import httpx

from intelli.kit import bounded_http

CONNECT_S = 10.0
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
    *, timeout: httpx.Timeout, base_url: str = "", headers: Mapping[str, str] | None = None
) -> httpx.AsyncClient:
    """Create a client whose responses are bounded. It follows no redirects: a request holds the key."""
    return httpx.AsyncClient(
        base_url=base_url,
        headers={**bounded_http.HEADERS, **(headers or {})},
        timeout=timeout,
        follow_redirects=False,
        # A proxy of the environment is for the network, not for servers of this machine.
        mounts={"all://127.0.0.1": None, "all://localhost": None},
        event_hooks={"response": [bounded_http.response_hook(_ANSWER_BYTES)]},
    )


def may_have_arrived(error: BaseException | None) -> bool:
    """Return False for a failure before anything was sent, whatever exception wraps it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, _NEVER_SENT):
            return False
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return True
