"""Deliverables' face to the composition root."""

from intelli.deliverables.build import BUILD
from intelli.deliverables.export import EXPORT
from intelli.deliverables.trash import SWEEP
from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.deliverables import routes

    return (routes.router,)


ROOM = Room(name="deliverables", routers=_routers, jobs=(BUILD, EXPORT, SWEEP))
