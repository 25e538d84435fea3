/** What the parts of memory may ask of its page, and what someone wishes to do. What a reader may not do is left out. */
import type { Alias, Episode, Fact, MemoryGroup, NodeHistory } from '@/lib/memoryWire';
import type { Opened } from './place';

export type Wish =
  | { readonly do: 'add' }
  | { readonly do: 'types'; readonly group: MemoryGroup }
  | { readonly do: 'edit'; readonly fact: Fact }
  | { readonly do: 'end'; readonly fact: Fact }
  | { readonly do: 'merge'; readonly node: NodeHistory }
  | { readonly do: 'split'; readonly node: NodeHistory; readonly alias: Alias }
  | { readonly do: 'forget'; readonly target: Target };

/** What is to be forgotten. */
export type Target =
  | { readonly kind: 'episode'; readonly id: string; readonly episode: Episode }
  | { readonly kind: 'fact'; readonly id: string; readonly fact: Fact }
  | { readonly kind: 'node'; readonly id: string; readonly node: NodeHistory }
  | { readonly kind: 'group'; readonly id: string };

export interface Acts {
  readonly open: (opened: Opened) => void;
  readonly wish?: ((wish: Wish) => void) | undefined;
}
