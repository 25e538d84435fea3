import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '@/components/Button';
import { reachability, useReachability } from '@/lib/reachability';

/** Says that the server is away, keeps asking, and loads afresh once it is back. */
export function ReachBanner() {
  const { reachable, probing } = useReachability();
  const queries = useQueryClient();
  const wasAway = useRef(false);

  useEffect(() => {
    if (reachable && wasAway.current) void queries.invalidateQueries();
    wasAway.current = !reachable;
  }, [reachable, queries]);

  if (reachable) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1.5 bg-warn-soft px-4 py-2 text-sm text-ink"
    >
      <span className="flex items-center gap-2">
        <CloudOff aria-hidden className="size-4 shrink-0 text-warn" />
        The Intelli server is out of reach. What you see may be old.
      </span>
      <Button busy={probing} onClick={() => void reachability.probe()}>
        Try again
      </Button>
    </div>
  );
}
