"""The worker: runs the rooms' jobs, gives back what it cannot finish, and takes over from workers that died."""

from intelli.worker.loop import Worker

__all__ = ["Worker"]
