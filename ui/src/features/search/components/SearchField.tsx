import { Search, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '@/components/Button';
import { ariaKeys } from '@/lib/hotkeys';

interface SearchFieldProps {
  /** What is searched for now. */
  value: string;
  onSearch: (text: string) => void;
  /** The arrow down leads on to the results. */
  onDown?: () => void;
  /** Ready to type in as soon as it is there. */
  focused?: boolean;
  /** Searches while one types; else only when asked to. */
  eager?: boolean;
  /** What it searches, for those who do not see where it stands. */
  label?: string;
}

const PAUSE_MS = 300;

/** The field of a search. It keeps what is being typed, also while the results come in. */
export function SearchField({
  value,
  onSearch,
  onDown,
  focused = false,
  eager = false,
  label = 'Search the library',
}: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [asked, setAsked] = useState(value);
  if (known !== value) {
    setKnown(value);
    // An answer to what was asked here must not undo what has been typed since.
    if (value !== asked) {
      setAsked(value);
      setText(value);
    }
  }

  useEffect(() => {
    if (!eager || text.trim() === asked) return undefined;
    const timer = setTimeout(() => {
      setAsked(text.trim());
      onSearch(text.trim());
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [eager, text, asked, onSearch]);

  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '') return;
    setAsked(text.trim());
    onSearch(text.trim());
  }

  function press(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' || onDown === undefined) return;
    event.preventDefault();
    onDown();
  }

  return (
    <form role="search" aria-label={label} onSubmit={submit} className="relative min-w-0">
      <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-ink-3" />
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        data-search-field
        aria-label={label}
        aria-keyshortcuts={ariaKeys('/')}
        placeholder={`${label}…`}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        className="h-10 w-full rounded-md border border-line-strong bg-surface pr-10 pl-9 text-base hover:border-ink-2 focus-visible:outline-offset-0 coarse:h-11 coarse:text-md"
      />
      {text !== '' && (
        <IconButton
          label="Clear the search"
          className="absolute inset-y-0 right-1 my-auto"
          onClick={() => {
            setText('');
            setAsked('');
            onSearch('');
            input.current?.focus();
          }}
        >
          <X aria-hidden className="size-4" />
        </IconButton>
      )}
    </form>
  );
}
