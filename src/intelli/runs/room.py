"""Runs' face to the composition root."""

from intelli.kit.room import Room
from intelli.runs import jobs, routes

ROOM = Room(name="runs", routers=(routes.router,), jobs=jobs.JOBS)
