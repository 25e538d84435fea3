import { Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { RightPaneSlot } from '@/components/RightPane';
import { Sheet } from '@/components/Sheet';
import { Splitter } from '@/components/Splitter';
import { useUploads } from '@/features/library/uploads';
import { keepPanes, LEFT, NARROW_LEFT, NARROW_RIGHT, RIGHT, setSheet, usePanes, WIDE } from '@/lib/panes';
import { useMedia } from '@/lib/useMedia';
import { CommandPalette } from './CommandPalette';
import { LeftPane } from './LeftPane';
import { RightPane } from './RightPane';
import { ShortcutDialog } from './ShortcutDialog';
import { TopBar } from './TopBar';
import { useHotkeys } from './useHotkeys';
import { usePreloadedPages } from './usePreloadedPages';
import { useShellCommands } from './useShellCommands';

const RAIL = 60;
const UploadTray = lazy(async () => ({
  default: (await import('@/features/library/components/UploadTray')).UploadTray,
}));

/** The three panes. Where the screen is narrow the outer two become sheets. */
export function Shell() {
  const panes = usePanes();
  const narrowLeft = useMedia(NARROW_LEFT);
  const narrowRight = useMedia(NARROW_RIGHT);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const rightWidth = panes.isWide ? panes.wideWidth : panes.rightWidth;
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && setSheet(null)), [router]);
  useShellCommands();
  useHotkeys();
  usePreloadedPages();

  return (
    <RightPaneSlot value={slot}>
      <div className="flex h-full overflow-hidden">
        {!narrowLeft && (
          <aside aria-label="Navigation" className="flex shrink-0">
            <div className="bg-sunken" style={{ width: panes.leftOpen ? panes.leftWidth : RAIL }}>
              <LeftPane compact={!panes.leftOpen} />
            </div>
            {panes.leftOpen ? <LeftSplitter width={panes.leftWidth} /> : <div className="w-px bg-line" />}
          </aside>
        )}
        <div className="flex min-w-0 flex-1 flex-col bg-surface">
          <TopBar />
          <main id="main" tabIndex={-1} className="@container min-h-0 flex-1 overflow-y-auto outline-none">
            <Outlet />
          </main>
        </div>
        {!narrowRight && panes.rightOpen && (
          <aside aria-label="Sources" className="flex shrink-0">
            <RightSplitter width={rightWidth} isWide={panes.isWide} />
            <div className="bg-bg" style={{ width: rightWidth }}>
              <RightPane slotRef={setSlot} />
            </div>
          </aside>
        )}
      </div>
      {narrowLeft && (
        <Sheet
          side="left"
          open={panes.sheet === 'left'}
          onOpenChange={(open) => setSheet(open ? 'left' : null)}
          title="Navigation"
        >
          <LeftPane compact={false} />
        </Sheet>
      )}
      {narrowRight && (
        <Sheet
          side="right"
          wide={panes.isWide}
          open={panes.sheet === 'right'}
          onOpenChange={(open) => setSheet(open ? 'right' : null)}
          title="Sources"
        >
          <RightPane slotRef={setSlot} />
        </Sheet>
      )}
      <Uploads />
      <CommandPalette />
      <ShortcutDialog />
    </RightPaneSlot>
  );
}

/** The tray comes with the first upload. */
function Uploads() {
  const isNeeded = useUploads(({ uploads }) => uploads.length > 0);
  return <Suspense>{isNeeded && <UploadTray />}</Suspense>;
}

function LeftSplitter({ width }: { width: number }) {
  return (
    <Splitter
      label="Width of the navigation"
      sizes="left"
      width={width}
      min={LEFT.min}
      max={LEFT.max}
      onChange={(leftWidth) => keepPanes({ leftWidth })}
      onReset={() => keepPanes({ leftWidth: LEFT.usual })}
    />
  );
}

function RightSplitter({ width, isWide }: { width: number; isWide: boolean }) {
  const { min, max, usual } = isWide ? WIDE : RIGHT;
  const keep = (next: number) => keepPanes(isWide ? { wideWidth: next } : { rightWidth: next });
  return (
    <Splitter
      label="Width of the sources"
      sizes="right"
      width={width}
      min={min}
      max={max}
      onChange={keep}
      onReset={() => keep(usual)}
    />
  );
}
