"""Computing on outside text in processes that can be ended: work that never ends costs its own process and no other.

The path of a call, `await compute.run(function, argument)`:

1. `pool` takes an idle child, or has the fork server make one. The fork server is a process that has loaded the
   modules with such functions and holds nothing else: no database, no listening socket, no secret.
2. The function, by its name, and its arguments go to the child over a socket, pickled: the child trusts us.
3. The child computes within its limits of memory, and answers with the JSON of what the function returns.
4. The pool reads that as the type that the function says it returns: data, never code.

A child that takes too long, or whose caller was cancelled, is killed; the next call has a new one.
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
