"""Citations' face to the composition root."""

from intelli.citations import staleness, verify
from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.citations import routes

    return (routes.router,)


ROOM = Room(name="citations", routers=_routers, jobs=(staleness.COMPARE,), verify=verify.findings)
