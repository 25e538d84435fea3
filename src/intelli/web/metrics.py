"""Access control of the metrics: by bearer token, or without a configured token only from the same machine."""

import hmac
import ipaddress

from fastapi import Request
from pydantic import SecretStr

from intelli.kit.errors import Forbidden, Unauthenticated

# Set by proxies: a client behind one is not on this machine, though the connection is.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")


class MetricsTokenRequired(Unauthenticated):
    """The metrics need their own bearer token."""

    code = "metrics_token_required"


class MetricsNotOpen(Forbidden):
    """Without a token, only programs on the server's own machine read the metrics."""

    code = "metrics_not_open"


def check_reader(request: Request, token: SecretStr | None) -> None:
    """Raise MetricsTokenRequired or MetricsNotOpen when the caller may not read the metrics."""
    if token is None:
        if not _is_local(request):
            raise MetricsNotOpen("Set INTELLI_HTTP__METRICS_TOKEN to read the metrics from another machine.")
        return
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    expected = token.get_secret_value().encode()
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), expected):
        raise MetricsTokenRequired("Send the token of the metrics as 'Authorization: Bearer …'.")


def _is_local(request: Request) -> bool:
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        address = ipaddress.ip_address(request.client.host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
