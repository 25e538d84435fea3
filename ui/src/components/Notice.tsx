import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type Tone = 'info' | 'ok' | 'warn' | 'bad';

const LOOKS = {
  info: { box: 'bg-accent-soft', icon: 'text-accent', Icon: Info },
  ok: { box: 'bg-ok-soft', icon: 'text-ok', Icon: CircleCheck },
  warn: { box: 'bg-warn-soft', icon: 'text-warn', Icon: TriangleAlert },
  bad: { box: 'bg-bad-soft', icon: 'text-bad', Icon: CircleAlert },
} as const;

interface NoticeProps {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A message in its place on the page. Bad news interrupts a screen reader, the rest waits its turn. */
export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  const { box, icon, Icon } = LOOKS[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={clsx('flex items-start gap-2.5 rounded-md px-3 py-2.5 text-sm', box)}
    >
      <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', icon)} />
      <div className="min-w-0 flex-1 text-ink">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className="text-pretty [overflow-wrap:anywhere]">{children}</div>}
      </div>
      {action}
    </div>
  );
}
