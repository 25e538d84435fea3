/** The filters of the log: as the address bar keeps them, as the server takes them, and as the live tail applies them. */
import type { AuditEntry, EventType } from '@/lib/wire';

export const EVENT_NAMES: Record<EventType, string> = {
  login: 'Sign-in',
  login_failed: 'Failed sign-in',
  key_created: 'Key created',
  key_revoked: 'Key revoked',
  settings_change: 'Settings change',
  export: 'Export',
  erase: 'Erasure',
  request_start: 'Request started',
  completion: 'Request completed',
  error: 'Error',
  file_read: 'File read',
  file_modification: 'File changed',
  write_permission_request: 'Permission asked',
  user_approval: 'Approval',
  user_rejection: 'Rejection',
};

export interface AuditFilters {
  readonly event?: EventType;
  readonly user?: string;
  readonly outcome?: 'ok' | 'failed';
  /** Days of the reader's own calendar, as `2026-11-15`. */
  readonly since?: string;
  readonly until?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Takes from the address what makes sense and leaves the rest. */
export function readSearch(raw: Record<string, unknown>): AuditFilters {
  const text = (key: string) => (typeof raw[key] === 'string' ? raw[key] : '');
  return {
    ...(Object.hasOwn(EVENT_NAMES, text('event')) && { event: text('event') as EventType }),
    ...(UUID.test(text('user')) && { user: text('user') }),
    ...(['ok', 'failed'].includes(text('outcome')) && { outcome: text('outcome') as 'ok' | 'failed' }),
    ...(isDay(text('since')) && { since: text('since') }),
    ...(isDay(text('until')) && { until: text('until') }),
  };
}

/** The query parameters of the server. A day runs from midnight to midnight where the reader is. */
export function queryOf(filters: AuditFilters) {
  return {
    ...(filters.event && { event_type: filters.event }),
    ...(filters.user && { user_id: filters.user }),
    ...(filters.outcome && { success: filters.outcome === 'ok' }),
    ...(filters.since && { since: startOf(filters.since).toISOString() }),
    ...(filters.until && { until: endOf(filters.until).toISOString() }),
  };
}

/** Whether a live entry belongs into the filtered list. */
export function matches(entry: AuditEntry, filters: AuditFilters): boolean {
  const at = Date.parse(entry.created_at);
  return (
    (!filters.event || entry.event_type === filters.event) &&
    (!filters.user || entry.user_id === filters.user) &&
    (!filters.outcome || entry.success === (filters.outcome === 'ok')) &&
    (!filters.since || at >= startOf(filters.since).getTime()) &&
    (!filters.until || at < endOf(filters.until).getTime())
  );
}

export function isFiltered(filters: AuditFilters): boolean {
  return Object.keys(queryOf(filters)).length > 0;
}

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(startOf(text).getTime());
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00`);
}

function endOf(day: string): Date {
  const end = startOf(day);
  end.setDate(end.getDate() + 1);
  return end;
}
