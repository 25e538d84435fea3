import { Outlet } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { Announcer } from '@/components/Announcer';
import { ReachBanner } from './ReachBanner';

/** Moves the focus and leaves the address alone: on the invitation page its fragment holds the token. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** What every page stands in: the skip link, the banner for a lost server, the page, the messages. */
export function Root() {
  return (
    <div className="flex h-full flex-col">
      <a href="#main" className="skip-link" onClick={skip}>
        Skip to the content
      </a>
      <ReachBanner />
      <div className="min-h-0 flex-1 overflow-auto">
        <Outlet />
      </div>
      <Announcer />
    </div>
  );
}
