import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Keyboard, LogOut, UserRound } from 'lucide-react';
import { Avatar } from '@/components/Marks';
import { Menu, MenuChoice, MenuItem, MenuLine } from '@/components/Menu';
import { signOut } from '@/features/auth/api';
import { useMe } from '@/lib/me';
import { chooseTheme, type Theme, useTheme } from '../theme';
import { openShortcuts } from './overlays';

const THEMES = [
  { value: 'system', text: 'As the system' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const;

export function UserMenu({ compact }: { compact: boolean }) {
  const { user } = useMe();
  const { theme } = useTheme();
  const navigate = useNavigate();
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className={clsx(
            'flex w-full min-w-0 items-center gap-2.5 rounded-md py-1.5 text-left hover:bg-hover coarse:min-h-11',
            compact ? 'justify-center' : 'px-1.5',
          )}
        >
          <Avatar name={user.name} />
          <span className="sr-only">Account</span>
          {compact ? (
            <span className="sr-only">{user.name}</span>
          ) : (
            <span className="min-w-0 leading-tight">
              <span className="block truncate text-sm font-medium">{user.name}</span>
              <span className="block truncate text-xs text-ink-3">{user.email}</span>
            </span>
          )}
        </button>
      }
    >
      <MenuItem icon={<UserRound aria-hidden />} onSelect={() => void navigate({ to: '/settings/profile' })}>
        Profile
      </MenuItem>
      <MenuItem icon={<Keyboard aria-hidden />} onSelect={openShortcuts}>
        Keyboard shortcuts
      </MenuItem>
      <MenuLine />
      <MenuChoice label="Theme" value={theme} onChange={(value) => chooseTheme(value as Theme)} options={THEMES} />
      <MenuLine />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void signOut().catch(() => undefined)}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
