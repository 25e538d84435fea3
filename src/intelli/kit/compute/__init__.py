"""Pool of child processes for computing on untrusted text: a call that never ends can be killed without other damage.

The path of a call, `await compute.run(function, argument)`:

1. `pool` takes an idle child, or asks the fork server for a new one. The fork server is a process that has imported
   the modules of such functions and nothing else: it has no database, no listening socket and no secret.
2. The pool pickles the function (by name) and its arguments and sends them over a socket: the child trusts the pool.
3. The child runs the function within its memory limit and answers with the result as JSON.
4. The pool validates that JSON against the return annotation of the function: it accepts data, never code.

A child that exceeds its time, or whose caller was cancelled, is killed; the next call gets a new one.
"""

from intelli.kit.compute.errors import ComputationCrashed, ComputationFailed, ComputeUnavailable, OutOfMemory, OutOfTime
from intelli.kit.compute.fork_server import ForkServer
from intelli.kit.compute.pool import ProcessPool
from intelli.kit.compute.ports import Compute, InProcess
from intelli.kit.compute.settings import ComputeSettings

__all__ = [
    "ComputationCrashed",
    "ComputationFailed",
    "Compute",
    "ComputeSettings",
    "ComputeUnavailable",
    "ForkServer",
    "InProcess",
    "OutOfMemory",
    "OutOfTime",
    "ProcessPool",
]
