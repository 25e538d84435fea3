/** Which of the shell's overlays is open: the palette or the list of shortcuts. */
import { create } from 'zustand';

interface Overlays {
  readonly open: 'palette' | 'shortcuts' | null;
}

export const useOverlays = create<Overlays>(() => ({ open: null }));

export const openPalette = () => useOverlays.setState({ open: 'palette' });
export const openShortcuts = () => useOverlays.setState({ open: 'shortcuts' });
export const closeOverlays = () => useOverlays.setState({ open: null });
