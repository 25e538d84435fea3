import { useQuery } from '@tanstack/react-query';
import { Maximize2, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { IconButton } from '@/components/Button';
import { Skeleton } from '@/components/Loaded';
import { Notice } from '@/components/Notice';
import type { Deliverable } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import { previewQuery } from '../api';

interface SitePreviewProps {
  deliverable: Pick<Deliverable, 'id' | 'title' | 'kind'>;
}

/** A website or slides, shown in a frame without rights: no storage, no network, no way to this page. Never add allow-same-origin. */
export function SitePreview({ deliverable: { id, title, kind } }: SitePreviewProps) {
  const query = useQuery(previewQuery(id));
  const frame = useRef<HTMLIFrameElement>(null);
  const [round, setRound] = useState(0);
  async function again() {
    await query.refetch();
    setRound((now) => now + 1);
  }
  if (query.isPending) return <Skeleton rows={6} />;
  if (query.data === undefined) return <Notice tone="bad">{messageOf(query.error)}</Notice>;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-bg">
      <div className="flex h-10 items-center gap-1 border-b border-line px-2 text-sm text-ink-2">
        <p className="min-w-0 flex-1 truncate px-1">
          {kind === 'SLIDES'
            ? 'Arrow keys turn the slides once the frame has the focus'
            : 'A preview, cut off from the network'}
        </p>
        <IconButton label="Load the preview again" onClick={() => void again()}>
          <RotateCw aria-hidden className="size-4" />
        </IconButton>
        <IconButton
          label="Fill the screen"
          onClick={() => void frame.current?.requestFullscreen().catch(() => undefined)}
        >
          <Maximize2 aria-hidden className="size-4" />
        </IconButton>
      </div>
      <iframe
        key={`${query.data.url} ${round}`}
        ref={frame}
        title={`Preview: ${title}`}
        src={query.data.url}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        className={
          kind === 'SLIDES' ? 'block aspect-video w-full bg-surface' : 'block h-[min(75vh,60rem)] w-full bg-surface'
        }
      />
    </div>
  );
}
