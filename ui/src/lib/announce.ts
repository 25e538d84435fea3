/** Short messages: shown as a toast and read aloud by screen readers. */
import { create } from 'zustand';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'ok' | 'bad' | 'plain';
}

interface State {
  readonly toasts: readonly Toast[];
  readonly spoken: string;
}

const SHOWN_AT_ONCE = 3;
let nextId = 1;

export const useAnnouncements = create<State>(() => ({ toasts: [], spoken: '' }));

export function toast(text: string, tone: Toast['tone'] = 'ok'): void {
  const entry = { id: nextId++, text, tone };
  useAnnouncements.setState(({ toasts }) => ({ toasts: [...toasts, entry].slice(-SHOWN_AT_ONCE) }));
}

export function dismissToast(id: number): void {
  useAnnouncements.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }));
}

/** Says a state to screen readers without showing it. */
export function announce(text: string): void {
  useAnnouncements.setState({ spoken: text });
}
