/** The commands that work everywhere in the shell. */
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { signOut } from '@/features/auth/api';
import { type Command, useCommands } from '@/lib/commands';
import { useMe } from '@/lib/me';
import { toggleLeft, toggleRight } from '@/lib/panes';
import { mayAdminister } from '@/lib/permissions';
import { toggleTheme } from '../theme';
import { focusComposer } from './asking';
import { openPalette, openShortcuts } from './overlays';

/** The field on the page, if it has one; else the page that is all about it. */
function goToSearch(open: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main [data-search-field]');
  if (field) field.select();
  else open();
}

export function useShellCommands(): void {
  const navigate = useNavigate();
  const { role } = useMe();
  const commands = useMemo<readonly Command[]>(() => {
    const invite: Command = {
      id: 'invite',
      title: 'Invite a colleague',
      group: 'Do',
      words: 'member link join',
      run: () => void navigate({ to: '/settings/workspace', search: { invite: true } }),
    };
    return [
      {
        id: 'home',
        title: 'Overview',
        group: 'Go to',
        keys: 'g o',
        words: 'home start',
        run: () => void navigate({ to: '/' }),
      },
      {
        id: 'ask',
        title: 'New conversation',
        group: 'Do',
        keys: 'c',
        words: 'ask question chat',
        run: () => {
          void navigate({ to: '/' });
          focusComposer();
        },
      },
      {
        id: 'library',
        title: 'Library',
        group: 'Go to',
        keys: 'g l',
        words: 'files folders documents upload',
        run: () => void navigate({ to: '/library' }),
      },
      {
        id: 'search',
        title: 'Search the library',
        group: 'Go to',
        keys: '/',
        words: 'find passages',
        run: () => goToSearch(() => void navigate({ to: '/search' })),
      },
      {
        id: 'deliverables',
        title: 'Deliverables',
        group: 'Go to',
        keys: 'g d',
        words: 'reports websites slides documents',
        run: () => void navigate({ to: '/deliverables' }),
      },
      {
        id: 'check',
        title: 'Check a text',
        group: 'Go to',
        keys: 'g c',
        words: 'verify proof statements memo draft',
        run: () => void navigate({ to: '/check' }),
      },
      {
        id: 'memory',
        title: 'Memory',
        group: 'Go to',
        keys: 'g m',
        words: 'facts graph timeline remember',
        run: () => void navigate({ to: '/memory' }),
      },
      {
        id: 'profile',
        title: 'Profile',
        group: 'Go to',
        keys: 'g p',
        words: 'settings name password sessions',
        run: () => void navigate({ to: '/settings/profile' }),
      },
      {
        id: 'workspace',
        title: 'Workspace and members',
        group: 'Go to',
        keys: 'g w',
        words: 'settings invitations roles',
        run: () => void navigate({ to: '/settings/workspace' }),
      },
      {
        id: 'models',
        title: 'Models',
        group: 'Go to',
        words: 'settings provider openai ollama anthropic llm key connect',
        run: () => void navigate({ to: '/settings/models' }),
      },
      {
        id: 'keys',
        title: 'API keys',
        group: 'Go to',
        keys: 'g k',
        words: 'settings tokens programs',
        run: () => void navigate({ to: '/settings/keys' }),
      },
      {
        id: 'audit',
        title: 'Audit log',
        group: 'Go to',
        keys: 'g a',
        words: 'settings history activity',
        run: () => void navigate({ to: '/settings/audit' }),
      },
      ...(mayAdminister(role) ? [invite] : []),
      {
        id: 'new-key',
        title: 'Create an API key',
        group: 'Do',
        run: () => void navigate({ to: '/settings/keys', search: { create: true } }),
      },
      {
        id: 'sign-out',
        title: 'Sign out',
        group: 'Do',
        words: 'log out leave',
        run: () => void signOut().catch(() => undefined),
      },
      { id: 'palette', title: 'Find or do something', group: 'View', keys: 'mod+k', run: openPalette },
      { id: 'left', title: 'Show or hide the navigation', group: 'View', keys: 'mod+b', run: toggleLeft },
      { id: 'right', title: 'Show or hide the sources', group: 'View', keys: 'mod+.', run: toggleRight },
      {
        id: 'theme',
        title: 'Change between light and dark',
        group: 'View',
        keys: 'mod+shift+d',
        words: 'theme',
        run: toggleTheme,
      },
      { id: 'shortcuts', title: 'Keyboard shortcuts', group: 'View', keys: '?', words: 'help', run: openShortcuts },
    ];
  }, [navigate, role]);
  useCommands(commands);
}
