import { useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, PanelLeft, PanelRight, Search } from 'lucide-react';
import { IconButton } from '@/components/Button';
import { ariaKeys } from '@/lib/hotkeys';
import { NARROW_LEFT, NARROW_RIGHT, toggleLeft, toggleRight, usePanes } from '@/lib/panes';
import { useMedia } from '@/lib/useMedia';
import { openPalette } from './overlays';

const PLACES = [
  ['/c/', 'Conversation'],
  ['/library', 'Library'],
  ['/search', 'Search'],
  ['/deliverables', 'Deliverables'],
  ['/check', 'Check a text'],
  ['/memory', 'Memory'],
  ['/settings', 'Settings'],
] as const;

function nameOf(pathname: string): string {
  return PLACES.find(([path]) => pathname.startsWith(path))?.[1] ?? 'Overview';
}

/** The thin bar over the page: what pane is open, and where in Intelli this is. */
export function TopBar() {
  const panes = usePanes();
  const narrowLeft = useMedia(NARROW_LEFT);
  const narrowRight = useMedia(NARROW_RIGHT);
  const { pathname } = useLocation();
  const leftShown = narrowLeft ? panes.sheet === 'left' : panes.leftOpen;
  const rightShown = narrowRight ? panes.sheet === 'right' : panes.rightOpen;
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line px-2 coarse:h-14">
      <IconButton
        label="Navigation"
        aria-expanded={leftShown}
        aria-keyshortcuts={ariaKeys('mod+b')}
        onClick={toggleLeft}
      >
        {narrowLeft ? <MenuIcon aria-hidden className="size-4.5" /> : <PanelLeft aria-hidden className="size-4.5" />}
      </IconButton>
      <p className="min-w-0 flex-1 truncate px-1 text-sm text-ink-3">{nameOf(pathname)}</p>
      {narrowLeft && (
        <IconButton label="Find or do something" onClick={openPalette}>
          <Search aria-hidden className="size-4.5" />
        </IconButton>
      )}
      <IconButton
        label="Sources"
        aria-expanded={rightShown}
        aria-keyshortcuts={ariaKeys('mod+.')}
        onClick={toggleRight}
      >
        <PanelRight aria-hidden className="size-4.5" />
      </IconButton>
    </header>
  );
}
