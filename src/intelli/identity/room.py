"""Identity's face to the composition root."""

from intelli.identity import jobs
from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.identity import routes

    return routes.ROUTERS


ROOM = Room(name="identity", routers=_routers, jobs=(jobs.SWEEP,))
