/** Light, dark, or as the system says. `public/theme.js` sets the same attribute before the first paint. */
import { create } from 'zustand';
import { readStored, writeStored } from '@/lib/storage';

export type Theme = 'system' | 'light' | 'dark';

const DARK = '(prefers-color-scheme: dark)';

export const useTheme = create<{ readonly theme: Theme }>(() => ({ theme: readStored<Theme>('theme', 'system') }));

export function chooseTheme(theme: Theme): void {
  useTheme.setState({ theme });
  writeStored('theme', theme);
  applyTheme();
}

export function toggleTheme(): void {
  chooseTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
}

export function applyTheme(): void {
  const { theme } = useTheme.getState();
  const dark = theme === 'dark' || (theme === 'system' && matchMedia(DARK).matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

/** Follows the system and the other tabs for as long as the page lives. */
export function followTheme(): void {
  matchMedia(DARK).addEventListener('change', applyTheme);
  addEventListener('storage', (event) => {
    if (event.key !== 'intelli.theme') return;
    useTheme.setState({ theme: readStored<Theme>('theme', 'system') });
    applyTheme();
  });
}
