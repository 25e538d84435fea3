import { FileText, Globe, type LucideIcon, Newspaper, Presentation } from 'lucide-react';
import { Badge } from '@/components/Marks';
import type { Kind, Status } from '@/lib/deliverableWire';
import { KIND_NAMES, STATUS_NAMES } from '../kinds';

const ICONS: Readonly<Record<Kind, LucideIcon>> = {
  REPORT: Newspaper,
  WEBSITE: Globe,
  SLIDES: Presentation,
  DOCUMENT: FileText,
};

/** What kind of deliverable it is, as a picture. */
export function KindMark({ kind }: { kind: Kind }) {
  const Icon = ICONS[kind];
  return (
    <span
      role="img"
      aria-label={KIND_NAMES[kind]}
      title={KIND_NAMES[kind]}
      className="grid size-9 shrink-0 place-items-center rounded-md bg-accent-soft text-accent"
    >
      <Icon aria-hidden className="size-4.5" />
    </span>
  );
}

const TONES = { pending: 'plain', in_progress: 'accent', completed: 'ok', failed: 'bad', cancelled: 'plain' } as const;

export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={TONES[status]}>{STATUS_NAMES[status]}</Badge>;
}
