import { render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { OutlineList } from './components/OutlineList';
import { PlanViewer } from './components/PlanViewer';
import { RunTimeline } from './components/RunTimeline';
import { duration, summaryOf } from './describe';
import { told, EVENTS, OUTLINED } from './toldRun';
import { UNHEARD } from './view';

describe('a run on the screen', () => {
  test('shows each task with its state in words, and why one failed', () => {
    render(<PlanViewer tasks={told(EVENTS).tasks} isLive />);
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(screen.getByRole('img', { name: 'At work' })).toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Failed' })).toBeInTheDocument();
    expect(screen.getByText('The index was away.')).toBeInTheDocument();
  });

  test('shows the outline of what is being written, chapter by chapter', () => {
    const { outline } = told([...EVENTS, OUTLINED]);
    render(<OutlineList chapters={outline} />);
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'DebtNet debt fell.',
      'Open questions',
    ]);
  });

  test('lists its steps in order, with what they took', () => {
    render(<RunTimeline view={told(EVENTS)} />);
    expect(screen.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
      'Planning200 ms',
      'Searching the sources2.3 s',
      'Searching for herons3 passages · 150 ms',
    ]);
  });

  test('says in one line where it stands', () => {
    expect(summaryOf(UNHEARD)).toBe('Waiting for its turn');
    expect(summaryOf(told(EVENTS.slice(0, 5)))).toBe('Searching the sources');
    const reading = {
      type: 'progress_update',
      activity: 'reading',
      message: 'Reading 6 passages',
      timestamp: 1,
    } as const;
    const waits = (estimate_s: number | null) => summaryOf(told([...EVENTS.slice(0, 5), { ...reading, estimate_s }]));
    expect(waits(null)).toBe('Reading 6 passages');
    expect(waits(1.2)).toBe('Reading 6 passages');
    expect(waits(41.7)).toBe('Reading 6 passages · about 42 s');
    expect(waits(130)).toBe('Reading 6 passages · about 2 min');
    expect(
      summaryOf(
        told([{ type: 'done', status: 'completed', has_async_entities_pending: false, message: null }], told(EVENTS)),
      ),
    ).toBe('Answered in 2.5 s · 2 tasks · 1 search');
    expect(duration(125_000)).toBe('2 min 5 s');
  });
});
