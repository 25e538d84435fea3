import { Link, Outlet } from '@tanstack/react-router';
import { Cpu, KeyRound, ScrollText, UserRound, Users } from 'lucide-react';

const PAGES = [
  { to: '/settings/profile', name: 'Profile', Icon: UserRound },
  { to: '/settings/workspace', name: 'Workspace', Icon: Users },
  { to: '/settings/models', name: 'Models', Icon: Cpu },
  { to: '/settings/keys', name: 'API keys', Icon: KeyRound },
  { to: '/settings/audit', name: 'Audit log', Icon: ScrollText },
] as const;

const TAB =
  'flex h-11 shrink-0 items-center gap-2 border-b-2 px-1 text-sm whitespace-nowrap focus-visible:-outline-offset-2';

export function SettingsFrame() {
  return (
    <>
      <nav aria-label="Settings" className="sticky top-0 z-10 overflow-x-auto border-b border-line bg-surface">
        <ul className="mx-auto flex max-w-5xl gap-5 px-5 @2xl:px-10">
          {PAGES.map(({ to, name, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={TAB}
                activeProps={{ className: 'border-accent font-medium text-ink' }}
                inactiveProps={{ className: 'border-transparent text-ink-2 hover:text-ink' }}
              >
                <Icon aria-hidden className="size-4 @max-lg:hidden" />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mx-auto max-w-5xl px-5 py-8 @2xl:px-10">
        <Outlet />
      </div>
    </>
  );
}
