// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Block, blocksOf, type Runs } from './blocks';
import { chunksOf, GmlSplitter } from './splitter';
import { ALLOWED, type GmlNode, parse, parsePrefix, textOf, VOID } from './tree';

interface Cases {
  readonly parse: readonly { readonly name: string; readonly gml: string; readonly tree: readonly GmlNode[] }[];
  readonly sanitise: readonly { readonly name: string; readonly gml: string; readonly safe: string }[];
  readonly stream: readonly { readonly gml: string; readonly prefixes: readonly string[] }[];
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../../contracts/cases/gml.json', import.meta.url), 'utf8'),
) as Cases;

const encoded = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function written(nodes: readonly GmlNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? encoded(node) : element(node))).join('');
}

function element({ tag, attributes, children }: Exclude<GmlNode, string>): string {
  const named = Object.entries(attributes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ` ${name}="${encoded(value).replaceAll('"', '&quot;')}"`)
    .join('');
  return VOID.has(tag) ? `<${tag}${named}/>` : `<${tag}${named}>${written(children)}</${tag}>`;
}

describe('the cases that the server reads too', () => {
  test.each(CASES.parse)('$name', ({ gml, tree }) => {
    expect(parse(gml)).toEqual(tree);
  });

  test.each(CASES.sanitise)('$name is made harmless', ({ gml, safe }) => {
    expect(written(parse(gml))).toBe(safe);
  });

  test.each(CASES.stream)('every prefix of $gml can be shown', ({ gml, prefixes }) => {
    expect(prefixes.map((_, length) => written(parsePrefix([...gml].slice(0, length).join(''))))).toEqual(prefixes);
  });
});

/** A small generator with a seed, so that a failure can be seen again. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const MARKUP = [...ALLOWED.keys()].flatMap((tag) => [`<${tag}>`, `</${tag}>`]);
const BITS = MARKUP.concat(
  [
    '<gml-inlinecitation identifier="ab.1-2"/>',
    '<gml-infoblockmetric name="N" value="3.2" unit="%">',
    '<script>',
    '</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">',
    "<a href='https://x.y/?a=1&amp;b'>",
  ],
  [
    '<a href="JaVaScRiPt&#58;x">',
    '<p style="x" onclick="y">',
    '<svg/onload=z>',
    '<!-- c -->',
    '<!DOCTYPE x>',
    '<?php',
    '<iframe srcdoc="<p>">',
    '{"data":{"values":[{"a":1}]},"mark":"bar"}',
    '<',
    '>',
    '"',
    "'",
    '&amp;',
    '&lt;',
    '&#0;',
    '&am',
  ],
  ['alpha', 'beta 12', ' ', '\n', 'é', '😀'],
);

function randomGml(next: () => number): string {
  return Array.from({ length: 1 + Math.floor(next() * 14) }, () => BITS[Math.floor(next() * BITS.length)]).join('');
}

const runsOf = (block: Block): readonly Runs[] => {
  switch (block.type) {
    case 'paragraph':
    case 'quote':
    case 'callout':
      return [block.runs];
    case 'bullets':
    case 'numbered':
      return block.items;
    case 'table':
      return block.rows.flat();
    case 'row':
      return [...block.primary, ...block.sidebar].flatMap(runsOf);
    default:
      return [];
  }
};

/** Blocks without the space at their ends, which nobody sees, and with the metrics that meet at a cut in one strip. */
function seen(blocks: readonly Block[]): readonly Block[] {
  const trimmed = blocks.map((block) =>
    block.type === 'paragraph'
      ? { ...block, runs: block.runs.map((run) => ({ ...run, text: run.text.trim() })) }
      : block,
  );
  return trimmed.reduce<Block[]>((all, block) => {
    const last = all.at(-1);
    if (block.type === 'metrics' && last?.type === 'metrics')
      all[all.length - 1] = { type: 'metrics', metrics: [...last.metrics, ...block.metrics] };
    else all.push(block);
    return all;
  }, []);
}

function check(node: GmlNode): void {
  if (typeof node === 'string') return;
  expect(ALLOWED.has(node.tag)).toBe(true);
  for (const [name, value] of Object.entries(node.attributes)) {
    expect(ALLOWED.get(node.tag)?.has(name)).toBe(true);
    if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:|#|\/(?!\/))/i);
  }
  node.children.forEach(check);
}

describe('any text at all', () => {
  const texts = Array.from({ length: 200 }, (_, seed) => randomGml(chance(seed + 1)));

  test('holds no element, attribute or address that is not on the list', () => {
    texts.forEach((text) => parse(text).forEach(check));
  });

  test('loses no word', () => {
    for (const text of texts) {
      const bare = text.replaceAll(/<!--[^]*?(?:-->|$)|<[^<>]*>/g, ' ');
      for (const word of bare.match(/alpha|beta/g) ?? []) expect(textOf(parse(text))).toContain(word);
    }
  });

  test('is cut into the same blocks however it comes', () => {
    for (const text of texts) {
      const whole = seen(blocksOf(parse(text)));
      expect(seen(chunksOf(text).chunks.flatMap(({ blocks }) => blocks))).toEqual(whole);
      const splitter = new GmlSplitter();
      for (const character of text) {
        splitter.push(character);
        void splitter.tail;
      }
      splitter.end();
      expect(seen(splitter.closed.flatMap(({ blocks }) => blocks))).toEqual(whole);
    }
  });

  test('numbers its citations in the order of the text', () => {
    for (const text of texts) {
      const { chunks, citations } = chunksOf(text);
      const cited = chunks
        .flatMap(({ blocks }) => blocks.flatMap(runsOf))
        .flat()
        .flatMap((run) => run.citations);
      for (const { identifier, ordinal } of cited) expect(citations[ordinal]).toBe(identifier);
    }
  });
});

test('what a hostile text costs grows with its length alone', () => {
  const began = performance.now();
  for (const bit of ['<!', '<a b="', '<p ', '<!--', '&', '<p><strong>', '</p>', '<gml-row>'])
    chunksOf(bit.repeat(20_000));
  expect(performance.now() - began).toBeLessThan(5_000);
});

const chart = (spec: unknown) =>
  blocksOf(
    parse(
      `<gml-chartcontainer caption="C" alt="A">${encoded(JSON.stringify(spec))}<gml-inlinecitation identifier="x"/></gml-chartcontainer>`,
    ),
  )[0];

describe('a chart', () => {
  test('keeps what it may hold and nothing else', () => {
    const spec = {
      data: { url: 'https://evil', values: [{ year: '2024', value: 3, deep: { x: 1 } }] },
      mark: { type: 'bar', href: 'https://evil', color: 'url(#x)' },
      transform: [{ calculate: 'alert(1)', as: 'x' }],
      encoding: {
        x: { field: 'year', axis: null },
        href: { value: 'https://evil' },
        y: { field: 'value', condition: { test: 'x' } },
      },
      usermeta: { x: 1 },
    };
    expect(chart(spec)).toEqual({
      type: 'chart',
      caption: 'C',
      alt: 'A',
      citations: [{ identifier: 'x', ordinal: 0 }],
      spec: {
        $schema: expect.stringContaining('vega-lite') as string,
        width: 560,
        data: { values: [{ year: '2024', value: 3 }] },
        mark: { type: 'bar' },
        encoding: { x: { field: 'year', axis: null }, y: { field: 'value' } },
      },
    });
  });

  test('that is none becomes words', () => {
    expect(chart({ mark: 'bar' })).toMatchObject({ type: 'paragraph' });
    expect(chart({ data: { url: 'https://evil' }, mark: 'bar' })).toMatchObject({ type: 'paragraph' });
    expect(chart('no')).toMatchObject({ type: 'paragraph' });
  });
});
