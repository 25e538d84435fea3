import type { ReactNode } from 'react';
import { Wordmark } from '@/components/Marks';
import { useTitle } from '@/lib/useTitle';

interface SignInFrameProps {
  title: string;
  lead?: ReactNode;
  aside: ReactNode;
  children: ReactNode;
}

/** The frame of the pages before the shell: what Intelli is on one side, the form on the other. */
export function SignInFrame({ title, lead, aside, children }: SignInFrameProps) {
  useTitle(title);
  return (
    <div className="grid min-h-full md:grid-cols-[minmax(0,1.1fr)_minmax(26rem,1fr)]">
      <main
        id="main"
        tabIndex={-1}
        className="order-1 flex flex-col justify-center bg-surface px-6 py-10 outline-none sm:px-12 md:order-2"
      >
        <div className="mx-auto w-full max-w-[23rem]">
          <div className="mb-8 md:hidden">
            <Wordmark large />
            <p className="mt-1 font-serif text-ink-2">A research workbench for work that must be checkable.</p>
          </div>
          <h1 className="font-serif text-2xl leading-tight font-semibold [overflow-wrap:anywhere]">{title}</h1>
          {lead !== undefined && <p className="mt-2 mb-6 text-pretty text-ink-2">{lead}</p>}
          {children}
        </div>
      </main>
      <aside
        aria-label="About Intelli"
        className="order-2 flex flex-col gap-10 border-line bg-bg px-6 py-10 max-md:border-t sm:px-12 md:order-1 md:border-r lg:px-16"
      >
        <div className="max-md:hidden">
          <Wordmark large />
        </div>
        <div className="m-auto w-full max-w-[34rem]">{aside}</div>
      </aside>
    </div>
  );
}
