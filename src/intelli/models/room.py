"""Models' face to the composition root."""

from intelli.kit.room import Room, Routers
from intelli.models import jobs


def _routers() -> Routers:
    from intelli.models import routes

    return (routes.router,)


ROOM = Room(name="models", routers=_routers, jobs=(jobs.TEST,))
