/** Deliverables for tests. */
import type { Deliverable } from '@/lib/deliverableWire';

const BLANK: Deliverable = {
  id: '018f0000-0000-7000-8000-000000000001',
  conversation_id: null,
  message_id: null,
  run_id: null,
  kind: 'REPORT',
  title: 'Birds of the lake',
  status: 'completed',
  phase: '',
  progress: 1,
  sections_done: 3,
  sections_total: 3,
  words: 1240,
  started_at: '2026-11-16T08:00:00Z',
  finished_at: '2026-11-16T08:00:05Z',
  error: null,
  version: 2,
  entity_id: null,
  manifest_hash: null,
  files: [],
  based_on: null,
  change: '',
  deleted_at: null,
  created_at: '2026-11-16T08:00:00Z',
};

export function deliverableOf(fields: Partial<Deliverable>): Deliverable {
  return { ...BLANK, ...fields };
}
