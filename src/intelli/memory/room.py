"""Memory's face to the composition root: its routes and jobs."""

from intelli.kit.room import Room, Routers
from intelli.memory import jobs


def _routers() -> Routers:
    from intelli.memory import routes

    return routes.ROUTERS


ROOM = Room(name="memory", routers=_routers, jobs=jobs.JOBS)
