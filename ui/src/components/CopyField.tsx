import { Check, Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { announce } from '@/lib/announce';
import { copyText } from '@/lib/copy';
import { Button } from './Button';

interface CopyFieldProps {
  label: string;
  value: string;
}

/** A value to take away. Says whether the copy worked, and can always be selected by hand. */
export function CopyField({ label, value }: CopyFieldProps) {
  const id = useId();
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');

  async function copy() {
    const copied = await copyText(value);
    setState(copied ? 'copied' : 'refused');
    announce(copied ? `${label} copied` : `${label} could not be copied`);
  }

  const words = { idle: 'Copy', copied: 'Copied', refused: 'Select and copy' }[state];
  return (
    <div className="grid gap-1.5">
      <div className="flex items-end justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <Button
          look="ghost"
          className="-mr-2"
          aria-label={`${words} ${label.toLowerCase()}`}
          onClick={() => void copy()}
        >
          {state === 'copied' ? (
            <Check aria-hidden className="size-4 text-ok" />
          ) : (
            <Copy aria-hidden className="size-4" />
          )}
          {words}
        </Button>
      </div>
      <textarea
        id={id}
        readOnly
        rows={2}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
        className="field-sizing-content w-full resize-none rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs break-all"
      />
    </div>
  );
}
