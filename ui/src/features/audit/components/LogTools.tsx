import { Download, Radio, ShieldCheck } from 'lucide-react';
import { Button } from '@/components/Button';
import { Menu, MenuItem } from '@/components/Menu';
import { Notice } from '@/components/Notice';
import { toast } from '@/lib/announce';
import { count } from '@/lib/format';
import { messageOf } from '@/lib/problem';
import type { StreamState } from '@/lib/sse';
import type { ChainReport, ExportFormat } from '@/lib/wire';
import { exportLog, type useVerify } from '../api';
import type { AuditFilters } from '../filters';

const LIVE_WORDS: Record<StreamState, string> = {
  connecting: 'Connecting…',
  open: 'Live',
  reconnecting: 'Reconnecting…',
  closed: 'Follow live',
};

interface FollowButtonProps {
  on: boolean;
  state: StreamState;
  onToggle: () => void;
}

export function FollowButton({ on, state, onToggle }: FollowButtonProps) {
  return (
    <Button aria-pressed={on} onClick={onToggle} className={on ? 'border-accent! bg-accent-soft! text-accent!' : ''}>
      <Radio aria-hidden className={state === 'open' ? 'size-4 animate-pulse' : 'size-4'} />
      {on ? LIVE_WORDS[state] : LIVE_WORDS.closed}
    </Button>
  );
}

export function ExportMenu({ filters }: { filters: AuditFilters }) {
  async function save(format: ExportFormat) {
    try {
      await exportLog(filters, format);
      toast(`The log is exported as ${format.toUpperCase()}.`);
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          <Download aria-hidden className="size-4" />
          Export
        </Button>
      }
    >
      <MenuItem onSelect={() => void save('csv')}>CSV, for spreadsheets</MenuItem>
      <MenuItem onSelect={() => void save('jsonl')}>JSON lines, for programs</MenuItem>
    </Menu>
  );
}

interface VerifyProps {
  verify: ReturnType<typeof useVerify>;
}

/** Checks every entry of the workspace's log, and its end against the one that is kept outside the database. */
export function VerifyButton({ verify }: VerifyProps) {
  return (
    <Button busy={verify.isPending} onClick={() => verify.mutate()}>
      <ShieldCheck aria-hidden className="size-4" />
      Verify the log
    </Button>
  );
}

export function VerifyResult({ verify }: VerifyProps) {
  if (verify.error !== null) return <Notice tone="bad">{messageOf(verify.error)}</Notice>;
  return verify.data === undefined ? null : <Report report={verify.data} />;
}

export function Report({ report }: { report: ChainReport }) {
  if (report.ok) {
    return (
      <Notice tone="ok" title="The log is whole.">
        {count(report.checked, 'entry', 'entries')} checked: none was changed, added or lost. {anchorWords(report)}
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title="The log is not whole.">
      <ul className="mt-1 grid gap-1.5">
        {report.findings.map((finding) => (
          <li key={`${finding.kind} ${finding.first_seq ?? ''} ${finding.message}`}>{finding.message}</li>
        ))}
      </ul>
    </Notice>
  );
}

function anchorWords({ anchored_seq, checked }: ChainReport): string {
  if (anchored_seq === 0) return 'Its signed end is not kept outside the database yet.';
  const later = checked - anchored_seq;
  return `Its signed end is kept outside the database${later > 0 ? `; ${count(later, 'entry follows', 'entries follow')} within seconds` : ''}.`;
}
