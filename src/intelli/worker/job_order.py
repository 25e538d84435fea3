"""Fair scheduling: which waiting job a worker takes next.

Each queue has its own slots, so that indexing files does not delay questions. Within a queue the order is: priority;
the workspace with the fewest running jobs, then the one served longest ago; within it the person by the same rule; then
the oldest job. No person and no workspace gets all slots of a queue: the last ones are reserved for others, who
therefore start at once however much was queued before them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from procrastinate.jobs import Job as QueueRow

_RESERVED_FOR_OTHER_PEOPLE = 1
_RESERVED_FOR_OTHER_WORKSPACES = 1
# Only so many of the last served are remembered; anybody else has waited longer than they have.
_REMEMBERED = 500
# Jobs of a person to consider: when another worker is just taking the first one, the next one is taken.
_AHEAD = 4

# The persons with waiting jobs are read from the index one group at a time (a loose index scan), so that a queue of ten
# thousand jobs is not read as a whole. `offset 0` makes the planner look up jobs of the same lock one by one: in a join
# all waiting jobs would be compared with all.
NEXT = """
    with recursive waiting as (
        (select queue_name, coalesce(args ->> 'tenant_id', '') as workspace, coalesce(args ->> 'user_id', '') as person
           from procrastinate_jobs where status = 'todo' order by 1, 2, 3 limit 1)
         union all
        select next.* from waiting, lateral (
            select queue_name, coalesce(args ->> 'tenant_id', ''), coalesce(args ->> 'user_id', '')
              from procrastinate_jobs
             where status = 'todo'
               and (queue_name, coalesce(args ->> 'tenant_id', ''), coalesce(args ->> 'user_id', ''))
                   > (waiting.queue_name, waiting.workspace, waiting.person)
             order by 1, 2, 3 limit 1) as next),
    running as (
        select queue_name, coalesce(args ->> 'tenant_id', '') as workspace, coalesce(args ->> 'user_id', '') as person,
               count(*) as jobs, count(*) filter (where worker_id = %(worker_id)s) as ours
          from procrastinate_jobs where status = 'doing' and queue_name = any(%(queues)s) group by 1, 2, 3),
    turn as (
        select waiting.*,
               (select coalesce(sum(jobs), 0) from running r
                 where r.queue_name = waiting.queue_name and r.workspace = waiting.workspace) as of_workspace,
               (select coalesce(sum(ours), 0) from running r
                 where r.queue_name = waiting.queue_name and r.workspace = waiting.workspace) as ours_of_workspace,
               coalesce(mine.jobs, 0) as of_person, coalesce(mine.ours, 0) as ours_of_person,
               coalesce(array_position(%(served)s::text[], waiting.workspace), 0) as workspace_served,
               coalesce(array_position(%(served)s::text[], waiting.workspace || '/' || waiting.person), 0)
                   as person_served
          from waiting left join running mine using (queue_name, workspace, person)
         where waiting.queue_name = any(%(queues)s)),
    first as (
        select job.id, job.priority, turn.of_workspace, turn.workspace_served, turn.of_person, turn.person_served
          from turn, lateral (
            select jobs.id, jobs.priority from procrastinate_jobs jobs
             where jobs.status = 'todo' and jobs.queue_name = turn.queue_name
               and coalesce(jobs.args ->> 'tenant_id', '') = turn.workspace
               and coalesce(jobs.args ->> 'user_id', '') = turn.person
               and (jobs.scheduled_at is null or jobs.scheduled_at <= now())
               and not exists (
                   select from procrastinate_jobs other
                    where other.lock = jobs.lock and other.status in ('todo', 'doing')
                      and (other.status = 'doing' or (
                           other.priority > jobs.priority or other.priority = jobs.priority and other.id < jobs.id))
                   offset 0)
             order by jobs.priority desc, jobs.id limit %(ahead)s) as job
         where turn.workspace = ''
            or turn.ours_of_workspace < %(most_of_workspace)s and turn.ours_of_person < %(most_of_person)s),
    taken as (
        select jobs.id from procrastinate_jobs jobs join first on first.id = jobs.id
         where jobs.status = 'todo'
         order by first.priority desc, first.of_workspace, first.workspace_served, first.of_person, first.person_served,
                  first.id
         limit 1 for update of jobs skip locked)
    update procrastinate_jobs job set status = 'doing', worker_id = %(worker_id)s from taken
     where job.id = taken.id returning job.*
"""


class JobOrder:
    """State of a worker's scheduling: the slots in use, and the workspaces and persons served last."""

    def __init__(self, concurrency: int) -> None:
        self._concurrency = concurrency
        self._running: dict[int, str] = {}
        self._served: dict[str, None] = {}

    @property
    def slots(self) -> int:
        """Number of jobs of one queue that may run at the same time."""
        return self._concurrency + _RESERVED_FOR_OTHER_PEOPLE + _RESERVED_FOR_OTHER_WORKSPACES

    def parameters(self, queues: Iterable[str]) -> Mapping[str, object] | None:
        """Return the parameters of `NEXT` for the queues that have a free slot; None when no queue has one."""
        busy = Counter(self._running.values())
        free = [queue for queue in queues if busy[queue] < self.slots]
        if not free:
            return None
        return {
            "queues": free,
            "ahead": _AHEAD,
            "served": list(self._served),
            "most_of_person": self._concurrency,
            "most_of_workspace": self._concurrency + _RESERVED_FOR_OTHER_PEOPLE,
        }

    def take_slot(self, job_id: int, job: QueueRow) -> None:
        """Mark a slot as used by a job, and its workspace and person as served last."""
        self._running[job_id] = job.queue
        workspace = str(job.task_kwargs.get("tenant_id") or "")
        for name in (workspace, f"{workspace}/{job.task_kwargs.get('user_id') or ''}"):
            self._served.pop(name, None)
            self._served[name] = None
        while len(self._served) > _REMEMBERED:
            del self._served[next(iter(self._served))]

    def free_slot(self, job_id: int) -> None:
        """Free the slot of a job."""
        self._running.pop(job_id, None)
