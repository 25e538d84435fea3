import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LibraryStatus } from '@/lib/wire';
import { STATUS } from './api';
import { AttentionLine } from './components/AttentionLine';

const quiet: LibraryStatus = {
  documents: 3,
  folders: 0,
  pending: 0,
  in_progress: 0,
  completed: 3,
  failed: 0,
  chunks: 9,
  size_bytes: 300,
  encoding: { done: 9, total: 9 },
  index_build: null,
  structure: { done: 3, total: 3 },
};

function show(status: Partial<LibraryStatus>) {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  queries.setQueryData(STATUS, { ...quiet, ...status });
  return render(
    <QueryClientProvider client={queries}>
      <AttentionLine search={{}} onSearch={() => undefined} />
    </QueryClientProvider>,
  );
}

test('nothing is said when all is read, encoded and built', () => {
  expect(show({}).container).toBeEmptyDOMElement();
});

test('what the encoder has still to read is told in passages', () => {
  show({ encoding: { done: 4, total: 9 } });
  expect(screen.getByText('Encoded 4 of 9 passages')).toBeVisible();
});

test.each([
  ['copy', 'Preparing a new search index: 33 %'],
  ['index', 'Building a new search index: 33 %'],
  ['finish', 'A new search index is taken into use'],
] as const)('a build of the index says that it is at the step "%s"', (step, told) => {
  show({ index_build: { step, done: 3, total: 9 } });
  expect(screen.getByText(told)).toBeVisible();
});
