/** Reads the keyboard: chords such as `mod+k` and sequences such as `g a`. Never while someone types or composes. */

const SEQUENCE_MS = 1_200;

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly target: EventTarget | null;
}

export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** The name of a pressed chord. Shift is named for letters only: for `?` it is part of the character. */
export function chordOf(press: KeyPress, mac: boolean = isMac): string {
  const key = press.key.toLowerCase();
  const parts = [];
  if (mac ? press.metaKey : press.ctrlKey) parts.push('mod');
  if (mac ? press.ctrlKey : press.metaKey) parts.push('other');
  if (press.altKey) parts.push('alt');
  if (press.shiftKey && (/^[a-z]$/.test(key) || key.length > 1)) parts.push('shift');
  return [...parts, key].join('+');
}

/** True where a plain letter belongs to the text being written. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input, textarea, select, [role=combobox], [role=menu] *, [role=listbox] *')
  );
}

/** Follows presses and says which of the known shortcuts, if any, a press completes. */
export class HotkeyReader {
  #pending = '';
  #pendingAt = 0;

  read(press: KeyPress, known: readonly string[], now: number = Date.now()): string | null {
    if (press.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(press.key)) return null;
    const chord = chordOf(press);
    if (!chord.startsWith('mod+') && isTyping(press.target)) return null;
    const sequence = this.#pending !== '' && now - this.#pendingAt < SEQUENCE_MS ? `${this.#pending} ${chord}` : chord;
    const hit = known.find((keys) => keys === sequence) ?? known.find((keys) => keys === chord) ?? null;
    this.#pending = hit === null && known.some((keys) => keys.startsWith(`${chord} `)) ? chord : '';
    this.#pendingAt = now;
    return hit;
  }
}

/** The keys as printed on the reader's keyboard, one list a chord. */
export function keyCaps(keys: string, mac: boolean = isMac): readonly (readonly string[])[] {
  const names: Record<string, string> = mac
    ? { mod: '⌘', shift: '⇧', alt: '⌥', enter: '⏎' }
    : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter' };
  return keys.split(' ').map((chord) => chord.split('+').map((key) => names[key] ?? key.toUpperCase()));
}

/** The value of `aria-keyshortcuts`; sequences cannot be said there. */
export function ariaKeys(keys: string | undefined, mac: boolean = isMac): string | undefined {
  if (keys === undefined || keys.includes(' ')) return undefined;
  return keys
    .replace('mod', mac ? 'Meta' : 'Control')
    .replace('shift', 'Shift')
    .replace('alt', 'Alt');
}
