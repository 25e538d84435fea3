import { Button } from '@/components/Button';
import { toast } from '@/lib/announce';
import { messageOf } from '@/lib/problem';
import type { Document } from '@/lib/wire';
import { useRetry } from '../api';

/** Why a file could not be read, and the way to try again. */
export function Failure({ document, reason, mayRetry }: { document: Document; reason: string; mayRetry: boolean }) {
  const retry = useRetry();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pl-8.5">
      <p className="min-w-0 flex-1 basis-48 text-xs text-pretty text-bad [overflow-wrap:anywhere]">{reason}</p>
      {mayRetry && (
        <Button
          className="h-7 px-2 text-xs"
          busy={retry.isPending}
          aria-label={`Try again: ${document.name}`}
          onClick={() => retry.mutate(document.id, { onError: (error) => toast(messageOf(error), 'bad') })}
        >
          Try again
        </Button>
      )}
    </div>
  );
}
