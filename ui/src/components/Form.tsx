import { createContext, type FormEvent, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { titleCase } from '@/lib/format';
import { fieldMessagesOf, messageOf } from '@/lib/problem';
import { Button } from './Button';
import { Notice } from './Notice';

export type Values = Readonly<Record<string, string>>;
export type Messages = Readonly<Record<string, string>>;

interface FormState {
  readonly messages: Messages;
  readonly busy: boolean;
}

const FormContext = createContext<FormState>({ messages: {}, busy: false });

/** What a field needs to know of its form. */
export function useForm(): FormState {
  return useContext(FormContext);
}

interface FormProps {
  label: string;
  onSubmit: (values: Values) => Promise<void>;
  validate?: (values: Values) => Messages;
  children: ReactNode;
}

/** A form that checks, submits once at a time, shows the server's words and leads to the first field at fault. */
export function Form({ label, onSubmit, validate, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [messages, setMessages] = useState<Messages>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  function show(found: Messages, general: string | null) {
    setMessages(found);
    setRefusal(general);
    const first = [...(form.current?.elements ?? [])].find((field) => 'name' in field && found[String(field.name)]);
    if (first instanceof HTMLElement) first.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const values = valuesOf(event.currentTarget);
    const found = validate?.(values) ?? {};
    show(found, null);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await onSubmit(values);
    } catch (error) {
      const fields = fieldMessagesOf(error);
      const isEmpty = Object.keys(fields).length === 0;
      show(
        fields,
        isEmpty ? messageOf(error) : summaryOf(fields, (name) => form.current?.elements.namedItem(name) != null),
      );
    } finally {
      setBusy(false);
    }
  }

  const state = useMemo(() => ({ messages, busy }), [messages, busy]);
  return (
    <FormContext value={state}>
      <form ref={form} aria-label={label} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
        {children}
      </form>
    </FormContext>
  );
}

interface SubmitProps {
  children: ReactNode;
  size?: 'normal' | 'large';
  look?: 'primary' | 'outline' | 'danger';
}

export function Submit({ children, size = 'normal', look = 'primary' }: SubmitProps) {
  const { busy } = useForm();
  return (
    <Button type="submit" look={look} size={size} busy={busy}>
      {children}
    </Button>
  );
}

function valuesOf(form: HTMLFormElement): Values {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

/** Points at the marked fields, and says itself what has no field to stand beside. */
function summaryOf(messages: Messages, hasField: (name: string) => boolean): string {
  const homeless = Object.entries(messages).filter(([name]) => !hasField(name));
  const isMarked = homeless.length < Object.keys(messages).length;
  const sentences = homeless.map(([name, message]) =>
    sentenceOf(name === '' ? message : `${titleCase(name.replaceAll('_', ' '))}: ${message}`),
  );
  return [...(isMarked ? ['Please check the marked fields.'] : []), ...sentences].join(' ');
}

function sentenceOf(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
