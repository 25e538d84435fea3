import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Says truthfully what is not there, and what would bring it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1.5 rounded-lg border border-dashed border-line px-5 py-8 text-center">
      <span
        aria-hidden
        className="mb-1 grid size-9 place-items-center rounded-full bg-sunken text-ink-3 [&>svg]:size-4.5"
      >
        {icon}
      </span>
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-[46ch] text-sm text-pretty text-ink-2">{children}</div>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}
