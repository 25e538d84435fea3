import { clsx } from 'clsx';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useForm } from './Form';

const CONTROL =
  'w-full min-w-0 rounded-md border bg-surface px-3 text-base text-ink transition-colors hover:border-ink-2 ' +
  'focus-visible:outline-offset-0 disabled:opacity-60 coarse:min-h-11 coarse:text-md';

interface FrameProps {
  id: string;
  label: string;
  hint?: ReactNode;
  message: string | undefined;
  children: ReactNode;
}

function Frame({ id, label, hint, message, children }: FrameProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {label}
      </label>
      {children}
      {message !== undefined && (
        <p id={`${id}-message`} className="text-sm text-bad">
          {message}
        </p>
      )}
      {message === undefined && hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}

function useField(name: string, hasHint: boolean) {
  const id = useId();
  const message = useForm().messages[name];
  const described = message !== undefined ? `${id}-message` : hasHint ? `${id}-hint` : undefined;
  return { id, message, aria: { 'aria-invalid': message !== undefined, 'aria-describedby': described } };
}

function controlClass(message: string | undefined, extra?: string): string {
  return clsx(CONTROL, 'h-9', message === undefined ? 'border-line-strong' : 'border-bad', extra);
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  name: string;
  label: string;
  hint?: ReactNode;
}

export function TextField({ name, label, hint, ...rest }: TextFieldProps) {
  const { id, message, aria } = useField(name, hint !== undefined);
  return (
    <Frame id={id} label={label} hint={hint} message={message}>
      <input id={id} name={name} {...aria} {...rest} className={controlClass(message)} />
    </Frame>
  );
}

/** A password that can be looked at before it is sent. */
export function PasswordField({ name, label, hint, ...rest }: TextFieldProps) {
  const { id, message, aria } = useField(name, hint !== undefined);
  const [shown, setShown] = useState(false);
  return (
    <Frame id={id} label={label} hint={hint} message={message}>
      <div className="relative">
        <input
          id={id}
          name={name}
          {...aria}
          {...rest}
          type={shown ? 'text' : 'password'}
          className={controlClass(message, 'pr-11')}
        />
        <button
          type="button"
          aria-pressed={shown}
          aria-label={`Show ${label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-1 right-1 grid w-8 place-items-center rounded-sm text-ink-3 hover:text-ink coarse:w-10"
        >
          {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
        </button>
      </div>
    </Frame>
  );
}

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'id'> {
  name: string;
  label: string;
  hint?: ReactNode;
}

export function SelectField({ name, label, hint, children, ...rest }: SelectFieldProps) {
  const { id, message, aria } = useField(name, hint !== undefined);
  return (
    <Frame id={id} label={label} hint={hint} message={message}>
      <select id={id} name={name} {...aria} {...rest} className={controlClass(message, 'pr-8')}>
        {children}
      </select>
    </Frame>
  );
}

interface AreaFieldProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  name: string;
  label: string;
  hint?: ReactNode;
}

/** A text of several lines. */
export function AreaField({ name, label, hint, ...rest }: AreaFieldProps) {
  const { id, message, aria } = useField(name, hint !== undefined);
  return (
    <Frame id={id} label={label} hint={hint} message={message}>
      <textarea
        id={id}
        name={name}
        rows={3}
        {...aria}
        {...rest}
        className={clsx(
          CONTROL,
          'resize-y py-2 leading-relaxed',
          message === undefined ? 'border-line-strong' : 'border-bad',
        )}
      />
    </Frame>
  );
}
