import { type ReactNode, useId } from 'react';
import { useTitle } from '@/lib/useTitle';

interface SectionProps {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ title, description, action, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-line py-7 first:border-t-0 first:pt-0">
      <header className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-w-[60ch]">
          <h2 id={id} className="text-md font-semibold">
            {title}
          </h2>
          {description !== undefined && <p className="mt-0.5 text-sm text-pretty text-ink-2">{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

interface PageHeadProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** The one h1 of a page, with a sentence below it. */
export function PageHead({ title, children, action }: PageHeadProps) {
  useTitle(title);
  return (
    <header className="mb-7 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="max-w-[68ch] min-w-0 flex-1 basis-72">
        <h1 className="font-serif text-2xl leading-tight font-semibold [overflow-wrap:anywhere]">{title}</h1>
        {children !== undefined && <div className="mt-1.5 text-base text-pretty text-ink-2">{children}</div>}
      </div>
      {action}
    </header>
  );
}
