"""Conversations' face to the composition root."""

from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.conversations import routes

    return routes.ROUTERS


ROOM = Room(name="conversations", routers=_routers)
