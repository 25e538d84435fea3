"""Runs' face to the composition root."""

from intelli.kit.room import Room, Routers
from intelli.runs import jobs


def _routers() -> Routers:
    from intelli.runs import routes

    return routes.ROUTERS


ROOM = Room(name="runs", routers=_routers, jobs=jobs.JOBS)
