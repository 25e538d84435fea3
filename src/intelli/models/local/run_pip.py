"""Program that runs pip until its parent ends: one that lives on would write into a folder that is cleaned up.

It runs as a file and imports nothing of ours.
"""

import ctypes
import os
import runpy
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(parent_pid: int) -> None:
    """Tie the process to its parent on Linux, and be pip with the arguments that follow."""
    if sys.platform == "linux":
        # As Ctrl-C does, so that pip deletes its temporary files.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
        if os.getppid() != parent_pid:
            sys.exit("The process that asked for pip has ended.")
    try:
        runpy.run_module("pip", run_name="__main__", alter_sys=True)
    except ImportError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(int(sys.argv.pop(1)))
