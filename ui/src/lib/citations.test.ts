// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CitationBuffer } from './citationBuffer';
import { LONGEST, type Segment, segmentsOf } from './citations';

interface Cases {
  readonly longest: number;
  readonly parse: readonly {
    name: string;
    text: string;
    citations: readonly { start: number; end: number; identifier: string; form: string }[];
  }[];
  readonly buffer: readonly { name: string; chunks: readonly string[]; ready: readonly number[] }[];
  readonly segments: readonly { name: string; text: string; segments: readonly Segment[] }[];
}

const cases = JSON.parse(
  readFileSync(new URL('../../../contracts/cases/citations.json', import.meta.url), 'utf8'),
) as Cases;

function buffered(chunks: readonly string[]): CitationBuffer {
  const buffer = new CitationBuffer();
  for (const chunk of chunks) buffer.feed(chunk);
  return buffer;
}

describe('citations in a kept text, as the server reads them', () => {
  test.each(cases.segments)('$name', ({ text, segments }) => expect(segmentsOf(text)).toEqual(segments));

  test.each(cases.parse)('$name: the same tags', ({ text, citations }) => {
    const tags = citations.filter(({ form }) => form === 'tag').map(({ identifier }) => identifier);
    expect(segmentsOf(text).flatMap(({ identifier }) => identifier ?? [])).toEqual(tags);
  });
});

describe('the buffer of a streaming text, as the server has it', () => {
  test('gives up at the same length', () => expect(LONGEST).toBe(cases.longest));

  test.each(cases.buffer)('$name', ({ chunks, ready }) => {
    const buffer = new CitationBuffer();
    const lengths = chunks.map((chunk) => {
      const before = buffer.readyLength;
      expect(buffer.feed(chunk)).toBe(buffer.readyLength > before);
      return buffer.readyLength;
    });
    expect(lengths).toEqual(ready);
    expect(buffer.full).toBe(chunks.join(''));
    buffer.end();
    expect(buffer.ready).toBe(buffer.full);
  });

  test('does not care how the text is cut, and never shows half a citation', () => {
    for (const { text, citations } of cases.parse.filter((one) => one.text.length < 400)) {
      const whole = buffered([text]).readyLength;
      for (let cut = 0; cut <= text.length; cut += 1) {
        const buffer = buffered([text.slice(0, cut)]);
        const half = citations.find(
          ({ start, end, form }) => form !== 'definition' && start < buffer.readyLength && buffer.readyLength < end,
        );
        expect(half).toBeUndefined();
        buffer.feed(text.slice(cut));
        expect(buffer.readyLength).toBe(whole);
      }
    }
  });

  test('takes time that grows with the text and not with its square', () => {
    const began = performance.now();
    const buffer = new CitationBuffer();
    for (let piece = 0; piece < 2_000; piece += 1) buffer.feed('['.repeat(500));
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(buffer.full).toHaveLength(1_000_000);
  });
});
