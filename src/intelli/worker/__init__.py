"""Worker: runs the rooms' jobs, returns unfinished ones to the queue, and takes over jobs of workers that died."""

from intelli.worker.loop import Worker

__all__ = ["Worker"]
