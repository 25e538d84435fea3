import { clsx } from 'clsx';

interface ProgressBarProps {
  label: string;
  /** Between 0 and 1; undefined while nobody can tell. */
  value: number | undefined;
}

/** How far something is. */
export function ProgressBar({ label, value }: ProgressBarProps) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="block h-1 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <span
        className={clsx(
          'block h-full rounded-full bg-accent transition-[width]',
          percent === undefined && 'w-1/3 animate-pulse',
        )}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </span>
  );
}
