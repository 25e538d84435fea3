import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { SearchSource } from '@/lib/wire';
import { SourceCard } from './components/SourceCard';

const SOURCE = {
  file_id: '0199',
  file_name: 'harbours.pdf',
  path: '/harbours.pdf',
  mime_type: 'application/pdf',
  sha256: 'ab',
  version: 2,
  latest_version: 2,
  relevance_score: 0.9,
  excerpts: [
    {
      content: 'Nothing of note.\fThe cranes were painted green.',
      score: 0.9,
      chunk_index: 4,
      char_start: 100,
      char_end: 147,
      page: 2,
      section: null,
    },
    { content: 'Cranes again.', score: 0.5, chunk_index: 7, char_start: 300, char_end: 313, page: 5, section: null },
  ],
} as unknown as SearchSource;

test('the name of a document opens it at its best passage', async () => {
  const open = vi.fn();
  render(
    <ul>
      <SourceCard source={SOURCE} query="cranes" opened={{ document: undefined, start: undefined }} onOpen={open} />
    </ul>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'harbours.pdf' }));
  await userEvent.click(screen.getByRole('button', { name: /Page 3/ }));
  expect(open.mock.calls[0]).toEqual(open.mock.calls[1]);
  expect(open).toHaveBeenLastCalledWith(expect.objectContaining({ document: '0199', version: 2, page: 3 }));
});

test('a passage of an earlier version says so and opens that version', async () => {
  const open = vi.fn();
  render(
    <ul>
      <SourceCard
        source={{ ...SOURCE, latest_version: 3 }}
        query="cranes"
        opened={{ document: undefined, start: undefined }}
        onOpen={open}
      />
    </ul>,
  );
  expect(screen.getByText('Version 2 of 3')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'harbours.pdf' }));
  expect(open).toHaveBeenCalledWith(expect.objectContaining({ version: 2 }));
});
