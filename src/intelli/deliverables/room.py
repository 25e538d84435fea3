"""Deliverables' face to the composition root."""

from intelli.deliverables.building import BUILD
from intelli.deliverables.exporting import EXPORT
from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.deliverables import routes

    return (routes.router,)


ROOM = Room(name="deliverables", routers=_routers, jobs=(BUILD, EXPORT))
