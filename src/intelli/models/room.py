"""Models' face to the composition root."""

from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.models import routes

    return (routes.router,)


ROOM = Room(name="models", routers=_routers)
