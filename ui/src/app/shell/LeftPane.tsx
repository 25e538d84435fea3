import { Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import {
  BrainCircuit,
  FileCheck2,
  House,
  Library,
  ScanSearch,
  Search,
  Settings,
  Shapes,
  SquarePen,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Keys } from '@/components/Marks';
import { ConversationShelf } from '@/features/conversation/components/ConversationShelf';
import { WorkspaceSwitcher } from '@/features/workspace/components/WorkspaceSwitcher';
import { ariaKeys } from '@/lib/hotkeys';
import { useMe } from '@/lib/me';
import { focusComposer } from './asking';
import { openPalette } from './overlays';
import { UserMenu } from './UserMenu';

const ROW = 'flex h-9 w-full items-center gap-3 rounded-md text-sm coarse:h-11';

/** Where you are and where you can go: workspace, search, conversations, settings, yourself. */
export function LeftPane({ compact }: { compact: boolean }) {
  const me = useMe();
  const navigate = useNavigate();
  const row = clsx(ROW, compact ? 'justify-center' : 'px-2.5');
  return (
    <div className={clsx('relative flex h-full flex-col gap-3 overflow-y-auto', compact ? 'p-2' : 'p-2.5')}>
      <WorkspaceSwitcher me={me} compact={compact} onSwitched={() => void navigate({ to: '/' })} />
      <button
        type="button"
        onClick={openPalette}
        aria-label={compact ? 'Find or do something' : undefined}
        aria-keyshortcuts={ariaKeys('mod+k')}
        title={compact ? 'Find or do something' : undefined}
        className={clsx(row, 'shrink-0 border border-line bg-surface text-ink-3 hover:border-line-strong')}
      >
        <Search aria-hidden className="size-4 shrink-0" />
        {!compact && (
          <>
            <span className="flex-1 text-left">Find or do…</span>
            <span aria-hidden className="coarse:hidden">
              <Keys keys="mod+k" />
            </span>
          </>
        )}
      </button>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-4">
        <div className="grid shrink-0 gap-0.5">
          <Link
            to="/"
            aria-label={compact ? 'New conversation' : undefined}
            title={compact ? 'New conversation' : undefined}
            onClick={focusComposer}
            className={clsx(row, 'mb-1 bg-accent-soft font-medium text-accent hover:bg-hover')}
          >
            <SquarePen aria-hidden className="size-4 shrink-0" />
            {!compact && 'New conversation'}
          </Link>
          <PaneLink to="/" exact label="Overview" icon={<House aria-hidden className="size-4" />} compact={compact} />
          <PaneLink to="/library" label="Library" icon={<Library aria-hidden className="size-4" />} compact={compact} />
          <PaneLink
            to="/search"
            label="Search"
            icon={<ScanSearch aria-hidden className="size-4" />}
            compact={compact}
          />
          <PaneLink
            to="/deliverables"
            label="Deliverables"
            icon={<Shapes aria-hidden className="size-4" />}
            compact={compact}
          />
          <PaneLink
            to="/check"
            label="Check a text"
            icon={<FileCheck2 aria-hidden className="size-4" />}
            compact={compact}
          />
          <PaneLink
            to="/memory"
            label="Memory"
            icon={<BrainCircuit aria-hidden className="size-4" />}
            compact={compact}
          />
        </div>
        {!compact && (
          <div className="relative -mr-2.5 min-h-32 flex-1 overflow-y-auto pr-2.5">
            <ConversationShelf />
          </div>
        )}
        <div className="mt-auto shrink-0">
          <PaneLink
            to="/settings"
            label="Settings"
            icon={<Settings aria-hidden className="size-4" />}
            compact={compact}
          />
        </div>
      </nav>
      <UserMenu compact={compact} />
    </div>
  );
}

interface PaneLinkProps {
  to: '/' | '/library' | '/search' | '/deliverables' | '/check' | '/memory' | '/settings';
  label: string;
  icon: ReactNode;
  compact: boolean;
  exact?: boolean;
}

function PaneLink({ to, label, icon, compact, exact = false }: PaneLinkProps) {
  return (
    <Link
      to={to}
      activeOptions={{ exact, includeSearch: false }}
      aria-label={compact ? label : undefined}
      title={compact ? label : undefined}
      className={clsx(ROW, compact ? 'justify-center' : 'px-2.5')}
      activeProps={{ className: 'bg-surface font-medium text-ink shadow-[0_0_0_1px_var(--line)]' }}
      inactiveProps={{ className: 'text-ink-2 hover:bg-hover hover:text-ink' }}
    >
      {icon}
      {!compact && label}
    </Link>
  );
}
