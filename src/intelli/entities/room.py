"""Entities' face to the composition root."""

from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.entities import routes

    return (routes.router,)


ROOM = Room(name="entities", routers=_routers)
