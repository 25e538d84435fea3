import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { StatusMark } from './components/StatusMark';
import { UploadRow } from './components/UploadRow';
import { documentOf } from './testing';
import type { Upload } from './uploadList';

const waiting = (key: number, below: readonly string[]): Upload => ({
  key,
  file: new File(['x'], 'f1.txt'),
  epoch: 0,
  folder: null,
  below,
  state: 'waiting',
  sent: 0,
  tries: 0,
});

test('files of one name are told apart by the folders they were dropped in', () => {
  render(
    <ul>
      <UploadRow upload={waiting(1, [])} />
      <UploadRow upload={waiting(2, ['drop', 'inner'])} />
    </ul>,
  );
  expect(screen.getByText('drop/inner')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Cancel f1.txt' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Cancel drop/inner/f1.txt' })).toBeVisible();
});

test('a document that was read in part is ready and says so', () => {
  render(<StatusMark {...documentOf({ warnings: ['Only the first 3,000 of 10,000 pages were read.'] })} />);
  expect(screen.getByText('Ready')).toBeVisible();
  expect(screen.getByRole('img', { name: 'Only the first 3,000 of 10,000 pages were read.' })).toBeVisible();
});
