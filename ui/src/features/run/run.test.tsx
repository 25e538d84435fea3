import { describe, expect, test } from 'vitest';
import type { RunEvent } from '@/lib/conversationWire';
import { summaryOf } from './describe';
import { reduce } from './reduce';
import { ReportWriter } from './reportWriter';
import { NODE, delta, told, EVENTS } from './toldRun';
import { hasEnded, UNHEARD } from './view';

const needed = (id: string): RunEvent => ({
  type: 'approval_needed',
  interaction_id: id,
  tool_name: 'update_document',
  summary: `Change /${id}.md`,
  path: `/${id}.md`,
  base_version: 1,
  diff: null,
  conflicts: [],
  timestamp: 1,
});
const decided = (id: string, decision: 'approved' | 'rejected', reason: string | null = null): RunEvent => ({
  type: 'approval_resolved',
  interaction_id: id,
  decision,
  reason,
  timestamp: 2,
});

const more = (text: string, id = 'r'): RunEvent => ({
  ...NODE,
  type: 'node_report_preview_delta',
  preview_id: id,
  delta: text,
  section_id: null,
});

describe('what a run tells', () => {
  test('adds up, and hearing it twice changes nothing', () => {
    const view = told(EVENTS);
    expect(view).toMatchObject({
      standing: 'running',
      text: 'The heron returned. 🪶',
      length: 21,
      rewrites: 0,
      seq: 12,
    });
    expect(view.tools).toEqual([
      expect.objectContaining({
        name: 'search_documents',
        action: 'Searching for herons',
        passages: 3,
        endedAt: 1_400,
      }),
    ]);
    expect(told(EVENTS.slice(0, 4), view)).toMatchObject({ text: view.text });
    expect(EVENTS.reduce((now, event, index) => reduce(now, index + 1, event), view)).toEqual(view);
  });

  test('shows a tool from its first moment, and what is being read until it was', () => {
    const call = { ...NODE, type: 'node_tool_event', tool_id: 't9', tool_type: 'search_memory', metadata: {} } as const;
    const begun = told([{ ...call, event: 'started', timestamp: 5 }]);
    expect(begun.tools).toEqual([expect.objectContaining({ name: 'search_memory', state: 'running', endedAt: null })]);
    const over = told([
      { ...call, event: 'started', timestamp: 5 },
      { ...call, event: 'completed', metadata: { passages: 2 }, timestamp: 9 },
    ]);
    expect(over.tools).toEqual([expect.objectContaining({ startedAt: 5, endedAt: 9, passages: 2 })]);
    const source = { identifier: 'p', title: 'a.md' };
    const reading: RunEvent = { type: 'pending_sources', pending_sources: [{ ...source, status: 'reading' }] };
    const read: RunEvent = { type: 'pending_sources', pending_sources: [{ ...source, status: 'read' }] };
    expect(told([reading]).activity?.message).toBe('Reading a.md');
    expect(told([reading, read]).activity).toBeNull();
  });

  test('goes on from an offset that counts characters, when an answer is written anew', () => {
    const view = told([delta(0, 'a🪶b old'), delta(4, 'new'), delta(7, '!')]);
    expect(view).toMatchObject({ text: 'a🪶b new!', length: 8, rewrites: 1 });
  });

  test('ends as done, stopped or failed, and may ask in between', () => {
    const message = {
      id: 'm',
      role: 'agent',
      content: 'Which year?',
      needs_clarification_message: 'Which year?',
    } as never;
    const asking = told([{ type: 'clarification_needed', message }]);
    expect(asking).toMatchObject({ standing: 'asking', question: 'Which year?' });
    expect(summaryOf(asking)).toBe('Waiting for your answer');
    expect(told([{ type: 'clarification_received', message }], asking)).toMatchObject({
      standing: 'running',
      question: null,
    });
    expect(told([{ type: 'ERROR', error_type: 'x', error_message: 'No.' }])).toMatchObject({
      standing: 'failed',
      failure: { message: 'No.' },
    });
    const done = told([{ type: 'done', status: 'cancelled', has_async_entities_pending: false, message: null }]);
    expect(hasEnded(done)).toBe(true);
  });

  test('waits for decisions on its changes, and goes on when nothing is left to decide', () => {
    const waiting = told([needed('a'), needed('b'), decided('a', 'approved')]);
    expect(waiting).toMatchObject({
      standing: 'approving',
      approvals: [
        { id: 'a', decision: 'approved' },
        { id: 'b', decision: 'pending' },
      ],
    });
    expect(summaryOf(waiting)).toBe('Waiting for your approval');
    expect(told([decided('b', 'rejected', 'No.')], waiting)).toMatchObject({
      standing: 'running',
      approvals: [{}, { decision: 'rejected', reason: 'No.' }],
    });
  });

  test('holds the report that is being written, and takes it as it came out', () => {
    const preview = {
      ...NODE,
      preview_id: 'r',
      workspace_id: 'w',
      report_title: 'Birds',
      final_report: true,
      timestamp: 5,
    };
    const start: RunEvent = {
      ...preview,
      type: 'node_report_preview_start',
      report_user_query: '?',
      section_id: null,
      sections_total: 3,
      entity: {} as never,
    };
    const half = told([start, more('<p>The heron'), more('of another', 'x'), more(' came.</p>')]);
    expect(half.preview).toEqual({
      id: 'r',
      title: 'Birds',
      text: '<p>The heron came.</p>',
      isDone: false,
      startedAt: 5,
      sectionsTotal: 3,
      rewrites: 0,
    });
    const done = (content: string): RunEvent => ({
      ...preview,
      type: 'node_report_preview_done',
      content,
      entity: null,
    });
    expect(told([done('<p>The heron came.</p>')], half).preview).toMatchObject({ isDone: true, rewrites: 0 });
    expect(told([done('<p>It came.</p>')], half).preview).toMatchObject({ text: '<p>It came.</p>', rewrites: 1 });
    expect(told([start], half).preview).toMatchObject({ text: '', rewrites: 1 });
  });

  test('cuts that report once, and shows the same until more comes', () => {
    const writer = new ReportWriter();
    const heard = {
      id: 'r',
      title: 'Birds',
      text: '<h2>A</h2><p>one two</p><p>thr',
      isDone: false,
      startedAt: 0,
      sectionsTotal: 0,
      rewrites: 0,
    };
    const first = writer.take(heard);
    expect(first).toMatchObject({
      words: 3,
      chunks: [{ blocks: [{ type: 'heading' }] }, { blocks: [{ type: 'paragraph' }] }],
      tail: { blocks: [{ runs: [{ text: 'thr' }] }] },
    });
    expect(writer.take({ ...heard })).toBe(first);
    const whole = writer.take({ ...heard, text: `${heard.text}ee</p>`, isDone: true });
    expect(whole).toMatchObject({ words: 4, tail: null });
    expect(whole?.chunks[0]).toBe(first?.chunks[0]);
    expect(writer.take({ ...heard, text: '<p>anew</p>', rewrites: 1 })).toMatchObject({ words: 1 });
  });

  test('ignores what a newer server invented', () => {
    expect(reduce(UNHEARD, 1, { type: 'telepathy' } as unknown as RunEvent)).toEqual({ ...UNHEARD, seq: 1 });
  });
});
