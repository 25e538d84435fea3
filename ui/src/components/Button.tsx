import { clsx } from 'clsx';
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';

type Look = 'primary' | 'outline' | 'ghost' | 'danger';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  outline: 'border border-line bg-surface text-ink hover:border-line-strong hover:bg-bg',
  ghost: 'text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border border-line bg-surface text-bad hover:border-bad hover:bg-bad-soft',
};

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  size?: 'normal' | 'large';
  busy?: boolean;
}

/** A busy button keeps its width and its focus, and ignores further presses. */
export function Button({ look = 'outline', size = 'normal', busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
      className={clsx(buttonClass(look, size), busy && 'cursor-progress', className)}
    >
      {busy && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}

/** The look of a button, for links that act as one. */
export function buttonClass(look: Look = 'outline', size: 'normal' | 'large' = 'normal'): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-50 coarse:min-h-11',
    size === 'large' ? 'h-10 px-4 text-base' : 'h-8 px-3 text-sm',
    LOOKS[look],
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
}

/** A button that shows an icon only; its label is read aloud and shown on hover. */
export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={clsx(
        'grid size-8 shrink-0 place-items-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink coarse:size-11',
        className,
      )}
    >
      {children}
    </button>
  );
}
