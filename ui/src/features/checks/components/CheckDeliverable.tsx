import { FileCheck2 } from 'lucide-react';
import { Button } from '@/components/Button';
import { toast } from '@/lib/announce';
import { messageOf } from '@/lib/problem';
import { useStartCheck } from '../api';

interface CheckDeliverableProps {
  id: string;
  onStarted: (check: string) => void;
}

/** Has a deliverable checked anew, each statement against the library as it is now. */
export function CheckDeliverable({ id, onStarted }: CheckDeliverableProps) {
  const start = useStartCheck();
  return (
    <Button
      busy={start.isPending}
      title="Hold each statement against the library as it is now"
      onClick={() =>
        start.mutate(
          { subject: { of: 'deliverable', id }, folder: null },
          { onSuccess: (check) => onStarted(check.id), onError: (error) => toast(messageOf(error), 'bad') },
        )
      }
    >
      {!start.isPending && <FileCheck2 aria-hidden className="size-4" />} Check
    </Button>
  );
}
