"""Content's face to the composition root."""

from intelli.content import jobs, verify
from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.content import routes

    return routes.ROUTERS


ROOM = Room(name="content", routers=_routers, jobs=(jobs.COLLECT,), verify=verify.findings)
