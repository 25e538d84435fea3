import { CopyField } from '@/components/CopyField';
import { Badge } from '@/components/Marks';
import { Notice } from '@/components/Notice';
import { fileSize } from '@/lib/format';
import type { InstalledModel } from '@/lib/modelWire';

const TONES: Readonly<Record<string, 'ok' | 'bad' | 'accent'>> = { ready: 'ok', failed: 'bad', starting: 'accent' };

/** The model that this installation runs itself, or the command that installs one. */
export function Installed({ installed, install }: { installed: InstalledModel | null; install: string | null }) {
  if (installed === null) {
    return (
      <div className="grid max-w-xl gap-3">
        <p className="text-sm text-ink-2">None is installed. A small one runs on this machine alone, without a key.</p>
        {install !== null && <CopyField label="On the server" value={install} />}
      </div>
    );
  }
  const { title, name, licence, size_bytes, state, problem } = installed;
  return (
    <div className="grid gap-2 rounded-lg border border-line px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
        <Badge tone={TONES[state] ?? 'plain'}>{state}</Badge>
      </p>
      <p className="text-xs text-ink-3 [overflow-wrap:anywhere]">
        {name} · {fileSize(size_bytes)} · {licence}
      </p>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </div>
  );
}
