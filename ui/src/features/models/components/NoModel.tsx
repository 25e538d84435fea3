import { Link } from '@tanstack/react-router';
import { Cpu, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/components/Button';
import { readStored, writeStored } from '@/lib/storage';
import { useThinkingModel } from '../api';

const DISMISSED = 'models.noticed';
const LINK = 'font-medium text-accent underline underline-offset-2';

/** On the first page while no model is in use; who has read it puts it away for this browser. */
export function NoModelCard({ isAdmin }: { isAdmin: boolean }) {
  const thinking = useThinkingModel();
  const [isDismissed, setDismissed] = useState(() => readStored(DISMISSED, false));
  if (thinking !== null || isDismissed) return null;
  return (
    <aside
      aria-label="No model is connected"
      className="mb-7 flex items-start gap-3 rounded-lg border border-line bg-bg px-4 py-3"
    >
      <Cpu aria-hidden className="mt-0.5 size-4.5 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1 text-sm text-pretty text-ink-2">
        <strong className="font-semibold text-ink">No model is connected.</strong> Reading, search and cited answers
        work: they are made of the sources’ own sentences. A model adds planning, reading across sources and writing in
        your words; every sentence still passes the same check.{' '}
        {isAdmin ? (
          <Link to="/settings/models" className={LINK}>
            Connect a model
          </Link>
        ) : (
          'Ask an administrator to connect one.'
        )}
      </p>
      <IconButton
        label="Do not show this again"
        className="-mt-1 -mr-2"
        onClick={() => {
          writeStored(DISMISSED, true);
          setDismissed(true);
        }}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </aside>
  );
}

interface NoModelLineProps {
  /** Whether the answer quotes its sources. */
  isCited: boolean;
  isAdmin: boolean;
}

/** Below an answer that no model thought about. */
export function NoModelLine({ isCited, isAdmin }: NoModelLineProps) {
  const thinking = useThinkingModel();
  return (
    <p className="mt-3 text-xs text-ink-3">
      Made without a model{isCited && ', from the sources’ own sentences'}.{' '}
      {thinking && `Ask again to have ${thinking.name} answer.`}
      {thinking === null &&
        (isAdmin ? (
          <Link to="/settings/models" className={LINK}>
            Connect a model
          </Link>
        ) : (
          'Ask an administrator to connect one.'
        ))}
    </p>
  );
}
