/** The panes of the shell: which are open and how wide. Kept over reloads; a sheet on a narrow screen is not. */
import { create } from 'zustand';
import { readStored, writeStored } from './storage';

export const LEFT = { min: 208, max: 380, usual: 248 } as const;
export const RIGHT = { min: 300, max: 680, usual: 360 } as const;
/** The right pane while a document is read in it. */
export const WIDE = { min: 360, max: 1100, usual: 560 } as const;
/** Below these widths a pane slides over the page instead of standing beside it. */
export const NARROW_RIGHT = '(max-width: 1099.98px)';
export const NARROW_LEFT = '(max-width: 719.98px)';

interface Kept {
  readonly leftWidth: number;
  readonly rightWidth: number;
  readonly wideWidth: number;
  readonly leftOpen: boolean;
  readonly rightOpen: boolean;
}

interface Panes extends Kept {
  readonly sheet: 'left' | 'right' | null;
  /** A document is open on the right, which wants more room than a list. */
  readonly isWide: boolean;
}

const USUAL: Kept = {
  leftWidth: LEFT.usual,
  rightWidth: RIGHT.usual,
  wideWidth: WIDE.usual,
  leftOpen: true,
  rightOpen: true,
};

export const usePanes = create<Panes>(() => ({
  ...USUAL,
  ...readStored<Partial<Kept>>('panes', {}),
  sheet: null,
  isWide: false,
}));

export function keepPanes(change: Partial<Kept>): void {
  usePanes.setState(change);
  const { leftWidth, rightWidth, wideWidth, leftOpen, rightOpen } = usePanes.getState();
  writeStored('panes', { leftWidth, rightWidth, wideWidth, leftOpen, rightOpen } satisfies Kept);
}

export function setSheet(sheet: Panes['sheet']): void {
  usePanes.setState({ sheet });
}

export function setWide(isWide: boolean): void {
  usePanes.setState({ isWide });
}

export function toggleLeft(): void {
  const { sheet, leftOpen } = usePanes.getState();
  if (matchMedia(NARROW_LEFT).matches) setSheet(sheet === 'left' ? null : 'left');
  else keepPanes({ leftOpen: !leftOpen });
}

export function toggleRight(): void {
  const { sheet, rightOpen } = usePanes.getState();
  if (matchMedia(NARROW_RIGHT).matches) setSheet(sheet === 'right' ? null : 'right');
  else keepPanes({ rightOpen: !rightOpen });
}

/** Makes sure that what a page puts into the right pane is seen. */
export function showRight(): void {
  if (matchMedia(NARROW_RIGHT).matches) setSheet('right');
  else keepPanes({ rightOpen: true });
}
