import { File, FileText, Globe, type LucideIcon, Newspaper, Presentation } from 'lucide-react';
import { Badge } from '@/components/Marks';
import type { Kind, Status } from '@/lib/deliverableWire';
import { kindOf, STATUS_NAMES } from '../kinds';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  newspaper: Newspaper,
  globe: Globe,
  presentation: Presentation,
  'file-text': FileText,
};

/** The icon that a kind is declared with; one that is not among ours is drawn as a plain file. */
export function KindIcon({ kind, className }: { kind: Kind; className?: string }) {
  const Icon = ICONS[kindOf(kind).icon] ?? File;
  return <Icon aria-hidden className={className} />;
}

/** What kind of deliverable it is, as a picture. */
export function KindMark({ kind }: { kind: Kind }) {
  const { text } = kindOf(kind);
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className="grid size-9 shrink-0 place-items-center rounded-md bg-accent-soft text-accent"
    >
      <KindIcon kind={kind} className="size-4.5" />
    </span>
  );
}

const TONES = { pending: 'plain', in_progress: 'accent', completed: 'ok', failed: 'bad', cancelled: 'plain' } as const;

export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={TONES[status]}>{STATUS_NAMES[status]}</Badge>;
}
