import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import { toast } from '@/lib/announce';
import { messageOf } from '@/lib/problem';
import type { Target } from '../acts';
import { lossQuery, useForget } from '../api';
import { aftermathOf, groupName, lossesOf, speakerOf } from '../words';

interface ForgetDialogProps {
  target: Target;
  onDone: () => void;
  onGone: () => void;
}

/** Asks before something is forgotten, and says exactly what will be gone: the server has tried it and taken it back. */
export function ForgetDialog({ target, onDone, onGone }: ForgetDialogProps) {
  const [withEpisodes, setWithEpisodes] = useState(false);
  const wanted = { kind: target.kind, id: target.id, withEpisodes };
  const forget = useForget();
  return (
    <ConfirmDialog
      title={<Title target={target} />}
      consequence={
        <div className="grid gap-3">
          <Loss wanted={wanted} />
          {target.kind === 'node' && (
            <label className="flex items-start gap-2">
              <input
                type="checkbox"
                className="mt-1"
                checked={withEpisodes}
                onChange={(event) => setWithEpisodes(event.target.checked)}
              />
              <span>Also forget every episode that names it, with all else that was said there</span>
            </label>
          )}
          <p>This cannot be undone.</p>
        </div>
      }
      action="Forget"
      onClose={onDone}
      onConfirm={async () => {
        await forget.mutateAsync(wanted);
        toast('Forgotten.');
        onGone();
      }}
    />
  );
}

function Title({ target }: { target: Target }): ReactNode {
  switch (target.kind) {
    case 'episode':
      return (
        <>
          Forget what <bdi>{speakerOf(target.episode)}</bdi> said?
        </>
      );
    case 'fact':
      return (
        <>
          Forget “<bdi>{target.fact.statement}</bdi>”?
        </>
      );
    case 'node':
      return (
        <>
          Forget “<bdi>{target.node.name}</bdi>”?
        </>
      );
    default:
      return (
        <>
          Forget the whole group “<bdi>{groupName(target.id)}</bdi>”?
        </>
      );
  }
}

function Loss({ wanted }: { wanted: Parameters<typeof lossQuery>[0] }) {
  const { data: loss, error } = useQuery(lossQuery(wanted));
  if (error !== null) return <Notice tone="bad">{messageOf(error)}</Notice>;
  if (!loss) return <Skeleton rows={2} />;
  const losses = lossesOf(loss);
  return (
    <>
      {losses.length === 0 && <p>Nothing else goes with it.</p>}
      {losses.length > 0 && (
        <div>
          <p>Gone for good:</p>
          <ul aria-label="Gone for good" className="mt-1 list-disc pl-5">
            {losses.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {aftermathOf(loss).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </>
  );
}
