"""Checks' face to the composition root."""

from intelli.checks import jobs
from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.checks import routes

    return (routes.router,)


ROOM = Room(name="checks", routers=_routers, jobs=(jobs.CHECK,), uploads=("/checks/file",))
