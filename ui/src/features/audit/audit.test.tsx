import { render } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '@/lib/wire';
import { EntrySentence } from './components/EntrySentence';
import { Report } from './components/LogTools';
import { EVENT_NAMES, isFiltered, matches, queryOf, readSearch } from './filters';
import { merge, reduce, type Tail } from './tail';

const ADA = '01990000-0000-7000-8000-000000000001';
const BEA = '01990000-0000-7000-8000-000000000002';
const nameOf = (id: string) => ({ [ADA]: 'Ada', [BEA]: 'Bea' })[id];

function entryOf(more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: '01990000-0000-7000-8000-0000000000aa',
    seq: 1,
    created_at: '2026-11-15T12:00:00Z',
    event_type: 'login',
    user_id: ADA,
    conversation_id: null,
    run_id: null,
    entity_type: null,
    entity_id: null,
    success: true,
    details: {},
    previous_hash: '0'.repeat(64),
    hash: '1'.repeat(64),
    seal_key: null,
    seal: null,
    ...more,
  };
}

describe('the filters of the log', () => {
  test('come out of the address as they went in', () => {
    const filters = { event: 'login', user: ADA, outcome: 'failed', since: '2026-11-01', until: '2026-11-15' } as const;
    expect(readSearch({ ...filters })).toEqual(filters);
  });

  test('leave out what makes no sense', () => {
    expect(readSearch({ event: 'toString', user: 'me', outcome: true, since: '2026-13-45', until: 7 })).toEqual({});
    expect(isFiltered({})).toBe(false);
  });

  test('cover the last day to its end', () => {
    const { since, until } = queryOf({ since: '2026-11-15', until: '2026-11-15' }) as { since: string; until: string };
    expect(Date.parse(until) - Date.parse(since)).toBe(86_400_000);
  });

  test('judge a live entry as the server would', () => {
    expect(matches(entryOf(), { event: 'login', user: ADA, outcome: 'ok' })).toBe(true);
    expect(matches(entryOf(), { event: 'export' })).toBe(false);
    expect(matches(entryOf({ success: false }), { outcome: 'ok' })).toBe(false);
    expect(matches(entryOf(), { until: '2020-01-01' })).toBe(false);
  });
});

describe('the check of the log', () => {
  const whole = {
    ok: true,
    checked: 12,
    first_broken_seq: null,
    reason: null,
    findings: [],
    head_hash: '1'.repeat(64),
    anchored_seq: 10,
    anchored_at: '2026-11-15T12:00:00Z',
    public_key: '2'.repeat(64),
  };

  test('says that it is whole, and how much is kept outside', () => {
    const { getByRole, rerender } = render(<Report report={whole} />);
    expect(getByRole('status').textContent).toContain('12 entries checked');
    expect(getByRole('status').textContent).toContain('2 entries follow within seconds');
    rerender(<Report report={{ ...whole, anchored_seq: 0, anchored_at: null }} />);
    expect(getByRole('status').textContent).toContain('not kept outside the database yet');
  });

  test('tells everything that is wrong with it', () => {
    const findings = [
      { kind: 'missing', first_seq: 3, last_seq: 4, message: 'Entries 3 to 4 are missing.' },
      { kind: 'cut', first_seq: 9, last_seq: 12, message: 'The log ends at entry 8; it had 12.' },
    ] as const;
    const { getAllByRole } = render(<Report report={{ ...whole, ok: false, findings: [...findings] }} />);
    expect(getAllByRole('listitem').map((item) => item.textContent)).toEqual(findings.map(({ message }) => message));
  });
});

describe('the live tail', () => {
  test('holds each entry once, newest first, whatever order a resumed stream has', () => {
    const tail = [3, 1, 2, 3, 1].reduce<Tail>((now, seq) => reduce(now, entryOf({ seq })), []);
    expect(tail.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  });

  test('joins the loaded entries without doubling', () => {
    const loaded = [entryOf({ seq: 2 }), entryOf({ seq: 1 })];
    expect(merge([entryOf({ seq: 3 }), entryOf({ seq: 2 })], loaded).map(({ seq }) => seq)).toEqual([3, 2, 1]);
  });
});

describe('an entry as a sentence', () => {
  test.each<[Partial<AuditEntry>, string]>([
    [{}, 'Ada signed in'],
    [{ details: { how: 'switch' } }, 'Ada came in from another workspace'],
    [{ event_type: 'login_failed', user_id: null, success: false }, 'Someone tried to sign in with a wrong password'],
    [
      { event_type: 'login_failed', user_id: null, success: false, details: { reason: 'unknown_account' } },
      'Someone tried to sign in to an account that is not there',
    ],
    [{ event_type: 'key_revoked', details: { reason: 'password_change' } }, 'Ada ended an API key with a new password'],
    [{ event_type: 'settings_change', details: { change: 'sessions_ended' } }, 'Ada ended their other sessions'],
    [{ event_type: 'key_created', details: { scopes: 'read write' } }, 'Ada created an API key (read, write)'],
    [{ event_type: 'export', details: { what: 'audit', format: 'csv' } }, 'Ada exported the log as CSV'],
    [
      { event_type: 'settings_change', entity_id: BEA, details: { change: 'role', role: 'admin' } },
      'Ada made Bea admin',
    ],
    [{ event_type: 'settings_change', details: { change: 'invited', role: 'admin' } }, 'Ada invited an admin'],
    [{ event_type: 'settings_change', details: { change: 'something new' } }, 'Ada changed settings'],
    [{ event_type: 'file_read', user_id: 'gone' }, 'A former member opened a file'],
    [
      { event_type: 'file_modification', entity_type: 'document', details: { action: 'created' } },
      'Ada added a document',
    ],
    [
      { event_type: 'file_modification', entity_type: 'document', details: { action: 'content' } },
      'Ada changed a document',
    ],
    [{ event_type: 'file_modification', entity_type: 'folder', details: { action: 'delete' } }, 'Ada deleted a folder'],
    [{ event_type: 'file_modification', details: { action: 'upload' } }, 'Ada added a file'],
    [
      { event_type: 'erase', user_id: null, details: { what: 'artifacts' } },
      'Intelli cleared away files that nothing refers to',
    ],
    [{ event_type: 'erase', details: { kind: 'memory_group' } }, 'Ada erased a group of memories'],
    [{ event_type: 'completion', user_id: null }, 'Intelli finished an answer'],
    [{ event_type: 'completion', success: false }, 'Ada stopped an answer'],
    [{ event_type: 'completion', entity_type: 'deliverable' }, 'Ada finished a deliverable'],
    [
      { event_type: 'user_approval', entity_type: 'citation', details: { action: 'taken_back' } },
      'Ada took back a decision on a citation',
    ],
    [{ event_type: 'user_rejection' }, 'Ada rejected a change'],
  ])('%o reads “%s”', (more, text) => {
    const { container } = render(<EntrySentence entry={entryOf(more)} nameOf={nameOf} />);
    expect(container.textContent).toBe(text);
  });

  test('keeps names apart from its own words, whatever direction they run in', () => {
    const removed = entryOf({ event_type: 'settings_change', entity_id: BEA, details: { change: 'removed' } });
    const { container } = render(<EntrySentence entry={removed} nameOf={nameOf} />);
    expect(container.innerHTML).toBe('<bdi>Ada</bdi> removed <bdi>Bea</bdi>');
  });

  test('every kind of event has a name', () => {
    expect(Object.values(EVENT_NAMES).every((name) => name.length > 0)).toBe(true);
  });
});
