import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { dismissToast, useAnnouncements } from '@/lib/announce';

const ICONS = { ok: CircleCheck, bad: CircleAlert, plain: Info } as const;
const SHOWN_MS = 5_000;

/** Toasts, and the live region that speaks states to screen readers. */
export function Announcer() {
  const { toasts, spoken } = useAnnouncements();
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {spoken}
      </div>
      <Radix.Provider duration={SHOWN_MS} swipeDirection="down">
        {toasts.map(({ id, text, tone }) => {
          const Icon = ICONS[tone];
          return (
            <Radix.Root
              key={id}
              onOpenChange={(open) => !open && dismissToast(id)}
              className="float-in flex items-start gap-2.5 rounded-lg bg-ink px-3.5 py-2.5 text-sm text-bg shadow-float"
            >
              <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0')} />
              <Radix.Description className="min-w-0 [overflow-wrap:anywhere]">{text}</Radix.Description>
            </Radix.Root>
          );
        })}
        <Radix.Viewport className="fixed bottom-4 left-1/2 z-60 grid w-[min(24rem,calc(100vw-2rem))] -translate-x-1/2 gap-2 outline-none" />
      </Radix.Provider>
    </>
  );
}
