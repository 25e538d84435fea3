import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { documentOf } from './testing';
import { useTray } from './trayRest';
import type { Upload } from './uploadList';
import { useUploads } from './uploads';

const kept = (status: 'pending' | 'completed' | 'failed'): Upload => ({
  key: 1,
  file: new File(['x'], 'a.txt'),
  epoch: 0,
  folder: null,
  below: [],
  state: 'kept',
  sent: 1,
  tries: 0,
  document: documentOf({ indexing_status: status }),
});

/** The tray with these uploads, and what is left of them. */
function tray(uploads: readonly Upload[]) {
  useUploads.setState({ uploads });
  return renderHook(() => useTray(useUploads((store) => store.uploads)));
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const left = () => useUploads.getState().uploads.length;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  useUploads.setState({ uploads: [] });
});

test('the tray goes by itself a moment after all has been read', async () => {
  tray([kept('completed')]);
  await pass(7_000);
  expect(left()).toBe(1);
  await pass(2_000);
  expect(left()).toBe(0);
});

test('it makes itself small while files are read, unless someone opened it', async () => {
  const { result } = tray([kept('pending')]);
  expect(result.current.isOpen).toBe(true);
  await pass(9_000);
  expect(result.current.isOpen).toBe(false);
  act(() => result.current.setOpen(true));
  await pass(9_000);
  expect(result.current.isOpen).toBe(true);
});

test('it stays while someone is at it, and while there is trouble', async () => {
  const { result } = tray([kept('completed')]);
  act(() => (result.current.holding.onPointerEnter as () => void)());
  await pass(20_000);
  expect(left()).toBe(1);
  act(() => useUploads.setState({ uploads: [kept('failed')] }));
  act(() => (result.current.holding.onPointerLeave as () => void)());
  await pass(20_000);
  expect(left()).toBe(1);
});
