"""The listening socket of a server, and its URL."""

import errno
import socket

from intelli.kit.errors import IntelliError
from intelli.settings import Settings

_BACKLOG = 2048
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104  # shown, not bound


class CannotListen(IntelliError):
    """The address or port cannot be listened on."""

    code = "cannot_listen"


def listen(settings: Settings) -> socket.socket:
    """Open a listening socket at the configured address; raise CannotListen with advice."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise CannotListen(_advice(error, settings)) from None


def url_of(listening: socket.socket) -> str:
    """Return the URL at which this machine reaches the socket."""
    host, port = listening.getsockname()[:2]
    host = _ANYWHERE.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _advice(error: OSError, settings: Settings) -> str:
    place = f"{settings.host}:{settings.port}"
    match error.errno:
        case errno.EADDRINUSE:
            return f"{place} is in use by another program. Choose a port with --port, or --port 0 for any that is free."
        case errno.EACCES:
            return f"{place} may only be used by root. Choose a port above 1023 with --port."
        case _:
            return f"{place} cannot be listened on: {error.strerror}. Choose an address of this machine with --host."
