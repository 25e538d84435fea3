import { describe, expect, test } from 'vitest';
import { type SseEvent, SseParser } from './sseParser';

const TEXT = [
  ': alive\n\n',
  'id: 1\nevent: entry\ndata: {"name":"Åsa 🦉"}\n\n',
  'id: 2\r\nevent: entry\r\ndata: first\r\ndata: second\r\n\r\n',
  'data:no space\rid:3\r\r',
  'event: ignored without data\n\n',
  'id\ndata\n\n',
  'data: unfinished',
].join('');

const EVENTS: readonly SseEvent[] = [
  { id: '1', event: 'entry', data: '{"name":"Åsa 🦉"}' },
  { id: '2', event: 'entry', data: 'first\nsecond' },
  { id: '3', event: 'message', data: 'no space' },
  { id: '', event: 'message', data: '' },
];

function parse(chunks: readonly Uint8Array[]): SseEvent[] {
  const parser = new SseParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
}

describe('the event-stream parser', () => {
  const bytes = new TextEncoder().encode(TEXT);

  test('reads a stream that arrives whole', () => {
    expect(parse([bytes])).toEqual(EVENTS);
  });

  test('reads the same events at every position of one cut', () => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(parse([bytes.slice(0, cut), bytes.slice(cut)]), `cut at ${cut}`).toEqual(EVENTS);
    }
  });

  test('reads the same events at every pair of neighbouring cuts, and byte by byte', () => {
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const chunks = [bytes.slice(0, cut), bytes.slice(cut, cut + 1), bytes.slice(cut + 1)];
      expect(parse(chunks), `byte ${cut} alone`).toEqual(EVENTS);
    }
    expect(parse(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
  });

  test('survives empty chunks between a return and its line feed', () => {
    const chunks = ['data: a\r', '', '\n\r', '', '\n'].map((text) => new TextEncoder().encode(text));
    expect(parse(chunks)).toEqual([{ id: '', event: 'message', data: 'a' }]);
  });

  test('keeps an id that holds a NUL out', () => {
    expect(parse([new TextEncoder().encode('id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n')]).map(({ id }) => id)).toEqual([
      '7',
      '7',
    ]);
  });
});
