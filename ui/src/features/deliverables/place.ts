/** What the addresses of deliverables keep: how the list is narrowed, and what is shown of one. */
import type { Kind, Status } from '@/lib/deliverableWire';
import { KINDS, STATUSES } from './kinds';

export interface ListSearch {
  readonly kind?: Kind;
  readonly status?: Status;
  /** Those in the trash instead. */
  readonly trash?: boolean;
}

export function readListSearch(raw: Record<string, unknown>): ListSearch {
  return {
    ...(isOne(KINDS, raw.kind) && { kind: raw.kind }),
    ...(isOne(STATUSES, raw.status) && { status: raw.status }),
    ...(raw.trash === true && { trash: true }),
  };
}

export interface DeliverableSearch {
  readonly tab?: 'versions' | 'edit';
  /** The version that this one is compared with. */
  readonly than?: string;
}

const ID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function readDeliverableSearch(raw: Record<string, unknown>): DeliverableSearch {
  if (typeof raw.than === 'string' && ID.test(raw.than)) return { than: raw.than };
  return raw.tab === 'versions' || raw.tab === 'edit' ? { tab: raw.tab } : {};
}

function isOne<Value>(values: readonly Value[], value: unknown): value is Value {
  return values.includes(value as Value);
}
