/** Which group is looked at when nobody says. */
import type { ListedGroup } from '@/lib/memoryWire';

export function personalGroup(userId: string): string {
  return `user:${userId}`;
}

/** The one that something was last remembered in; a person's own where there is none. */
export function chosenGroup(groups: readonly ListedGroup[], userId: string): string {
  const newest = groups.toSorted((a, b) => (b.updated_at ?? '').localeCompare(a.updated_at ?? ''))[0];
  return newest?.group_id ?? personalGroup(userId);
}
