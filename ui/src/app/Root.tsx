import { Outlet } from '@tanstack/react-router';
import { Announcer } from '@/components/Announcer';
import { ReachBanner } from './ReachBanner';

/** What every page stands in: the skip link, the banner for a lost server, the page, the messages. */
export function Root() {
  return (
    <div className="flex h-full flex-col">
      <a href="#main" className="skip-link">
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
