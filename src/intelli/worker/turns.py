"""Turns: which waiting job a worker takes next.

Each queue has slots of its own, so that files being read keep no question waiting. Within a queue jobs are taken in
turn: first by priority, then for the workspace that has the fewest running and has waited longest for its turn, then
for the person of whom that holds, then in the order they came. No person and no workspace gets all slots of a queue:
the last ones are left to others, who therefore begin at once however much was queued before them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from procrastinate.jobs import Job as QueueRow

_FOR_OTHER_PEOPLE = 1
_FOR_OTHER_WORKSPACES = 1
# Whoever is not among so many who had a turn last has waited longer than they have.
_REMEMBERED = 500
# Where another worker takes someone's first job at this moment, the next one of theirs will do.
_AHEAD = 4

# Whose jobs wait is read from the index one group at a time; a queue of ten thousand is not read for the next one.
# `offset 0` has jobs of the same lock looked up one by one: joined, all that wait would be compared with all.
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


class JobTurns:
    """Remembers which slots of a worker are taken and who had their turn last."""

    def __init__(self, concurrency: int) -> None:
        self._concurrency = concurrency
        self._running: dict[int, str] = {}
        self._served: dict[str, None] = {}

    @property
    def slots(self) -> int:
        """How many jobs of one queue run at the same time."""
        return self._concurrency + _FOR_OTHER_PEOPLE + _FOR_OTHER_WORKSPACES

    def parameters(self, queues: Iterable[str]) -> Mapping[str, object] | None:
        """What `NEXT` is asked with: the queues that have a free slot, or None where there is none."""
        busy = Counter(self._running.values())
        free = [queue for queue in queues if busy[queue] < self.slots]
        if not free:
            return None
        return {
            "queues": free,
            "ahead": _AHEAD,
            "served": list(self._served),
            "most_of_person": self._concurrency,
            "most_of_workspace": self._concurrency + _FOR_OTHER_PEOPLE,
        }

    def begin(self, job_id: int, job: QueueRow) -> None:
        """Note that a job takes a slot, and whose turn it was."""
        self._running[job_id] = job.queue
        workspace = str(job.task_kwargs.get("tenant_id") or "")
        for name in (workspace, f"{workspace}/{job.task_kwargs.get('user_id') or ''}"):
            self._served.pop(name, None)
            self._served[name] = None
        while len(self._served) > _REMEMBERED:
            del self._served[next(iter(self._served))]

    def end(self, job_id: int) -> None:
        """Free the slot of a job."""
        self._running.pop(job_id, None)
