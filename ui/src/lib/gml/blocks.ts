/** The blocks of a report, read from GML as the server reads them. No words are lost: what stands where it does not belong becomes a paragraph. */
import { type ChartSpec, safeSpec } from './chartSpec';
import { add, cite, type Cited, PLAIN, type Run, type Runs, SPACES, type Style, styled, trim } from './runs';
import { type GmlElement, type GmlNode, textOf } from './tree';

export type { Cited, Run, Runs } from './runs';

export interface Metric {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly period: string;
  readonly entity: string;
  /** As the source writes it. */
  readonly shown: string;
  readonly citation: Cited | null;
}

export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'paragraph'; readonly runs: Runs }
  | { readonly type: 'bullets'; readonly items: readonly Runs[] }
  | { readonly type: 'numbered'; readonly items: readonly Runs[] }
  | { readonly type: 'quote'; readonly runs: Runs }
  | {
      readonly type: 'table';
      readonly caption: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Runs[])[];
    }
  | {
      readonly type: 'chart';
      readonly spec: ChartSpec;
      readonly caption: string;
      readonly alt: string;
      readonly citations: readonly Cited[];
    }
  | { readonly type: 'metrics'; readonly metrics: readonly Metric[] }
  | { readonly type: 'callout'; readonly title: string; readonly runs: Runs }
  | { readonly type: 'row'; readonly primary: readonly Block[]; readonly sidebar: readonly Block[] }
  | { readonly type: 'sources' };

const INLINE: ReadonlySet<string> = new Set([
  'strong',
  'b',
  'em',
  'i',
  'a',
  'code',
  'sup',
  'sub',
  'br',
  'gml-inlinecitation',
]);
const CITATION = 'gml-inlinecitation';
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const ENDS = /^ +| +$/g;

/** The blocks of a tree whose first citation has that number. */
export function blocksOf(nodes: readonly GmlNode[], firstCitation = 0): readonly Block[] {
  return new Reading(nodes, firstCitation).blocks(nodes);
}

/** The identifiers that a tree cites, in order. */
export function citationsOf(nodes: readonly GmlNode[]): readonly string[] {
  return citationElements(nodes).map(({ attributes }) => attributes.identifier ?? '');
}

/** A citation of nothing is none. */
function citationElements(nodes: readonly GmlNode[]): readonly GmlElement[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    return node.tag === CITATION ? (node.attributes.identifier ? [node] : []) : citationElements(node.children);
  });
}

/** One walk over a tree. */
class Reading {
  readonly #cited: ReadonlyMap<GmlElement, Cited>;

  constructor(nodes: readonly GmlNode[], first: number) {
    this.#cited = new Map(
      citationElements(nodes).map((element, position) => [
        element,
        { identifier: element.attributes.identifier ?? '', ordinal: first + position },
      ]),
    );
  }

  /** Inline nodes side by side are a paragraph, metrics side by side stand together. */
  blocks(nodes: readonly GmlNode[]): readonly Block[] {
    const found: Block[] = [];
    let loose: GmlNode[] = [];
    for (const node of nodes) {
      if (typeof node === 'string' || INLINE.has(node.tag)) {
        loose.push(node);
        continue;
      }
      found.push(...this.#paragraph(loose));
      loose = [];
      for (const block of this.#block(node)) joined(found, block);
    }
    return [...found, ...this.#paragraph(loose)];
  }

  #block(element: GmlElement): readonly Block[] {
    const { tag, attributes, children } = element;
    switch (tag) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
        return this.#heading(element);
      case 'ul':
      case 'ol':
        return this.#list(element);
      case 'blockquote':
      case 'gml-blockquote': {
        const runs = this.#runs(children);
        return runs.length === 0 ? [] : [{ type: 'quote', runs }];
      }
      case 'table':
      case 'gml-table':
        return this.#table(element, attributes.caption ?? '');
      case 'gml-chartcontainer':
        return this.#chart(element);
      case 'gml-infoblockmetric':
        return this.#metric(element);
      case 'gml-gradientinsightbox':
        return [{ type: 'callout', title: attributes.title ?? '', runs: this.#runs(children) }];
      case 'gml-row':
        return this.#row(element);
      case 'gml-sources':
        return [{ type: 'sources' }];
      case 'p':
      case 'pre':
      case 'li':
        return children.some((each) => typeof each !== 'string' && !INLINE.has(each.tag))
          ? this.blocks(children)
          : this.#paragraph(children);
      default:
        return this.blocks(children);
    }
  }

  #heading({ tag, children }: GmlElement): readonly Block[] {
    const text = squeezed(textOf(children));
    const heading: readonly Block[] = text === '' ? [] : [{ type: 'heading', level: Number(tag.charAt(1)), text }];
    return [
      ...heading,
      ...this.#paragraph(children.filter((each) => typeof each !== 'string' && each.tag === CITATION)),
    ];
  }

  #paragraph(nodes: readonly GmlNode[]): readonly Block[] {
    const runs = this.#runs(nodes);
    return runs.length === 0 ? [] : [{ type: 'paragraph', runs }];
  }

  #list({ tag, children }: GmlElement): readonly Block[] {
    const items = children.map((each) => this.#runs([each])).filter((runs) => runs.length > 0);
    if (items.length === 0) return [];
    return [tag === 'ol' ? { type: 'numbered', items } : { type: 'bullets', items }];
  }

  #row({ children }: GmlElement): readonly Block[] {
    const main: GmlNode[] = [];
    const side: GmlNode[] = [];
    for (const child of children) {
      const name = typeof child === 'string' ? '' : child.tag;
      if (typeof child !== 'string' && name === 'gml-sidebarcolumn') side.push(...child.children);
      else if (typeof child !== 'string' && name === 'gml-primarycolumn') main.push(...child.children);
      else main.push(child);
    }
    const [primary, sidebar] = [this.blocks(main), this.blocks(side)];
    return primary.length + sidebar.length === 0 ? [] : [{ type: 'row', primary, sidebar }];
  }

  /** Rows of equal length. A first row of headings is the header; words between the cells stand before the table. */
  #table(element: GmlElement, caption: string): readonly Block[] {
    const rows = rowsOf(element);
    const first = rows[0];
    if (!first) return this.blocks(element.children);
    const width = Math.max(...rows.map((row) => row.length));
    const cells = rows.map((row) =>
      Array.from({ length: width }, (_, column): Runs => this.#runs(row[column]?.children ?? [])),
    );
    const hasHeader = first.every(({ tag }) => tag === 'th');
    const columns = Array.from({ length: width }, (_, column) =>
      hasHeader ? (cells[0]?.[column] ?? []).map(({ text }) => text).join('') : '',
    );
    const loose = element.children.filter((each) => typeof each === 'string' && each.trim() !== '');
    return [...this.#paragraph(loose), { type: 'table', caption, columns, rows: hasHeader ? cells.slice(1) : cells }];
  }

  /** A chart, when its words are a spec that is safe to draw; else a paragraph of the words. */
  #chart({ attributes, children }: GmlElement): readonly Block[] {
    const spec = safeSpec(jsonOf(children.filter((each) => typeof each === 'string').join('')));
    if (spec === null) return this.#paragraph(children);
    return [
      {
        type: 'chart',
        spec,
        caption: attributes.caption ?? '',
        alt: attributes.alt ?? '',
        citations: this.#citations(children),
      },
    ];
  }

  /** A metric; without a value that is a number, a paragraph. */
  #metric({ attributes, children }: GmlElement): readonly Block[] {
    const { key = '', name = '', value = '', unit = '', period = '', entity = '' } = attributes;
    if (!NUMBER.test(value)) return this.#paragraph([name, ' ', ...children]);
    return [
      {
        type: 'metrics',
        metrics: [
          {
            key,
            name,
            value,
            unit,
            period,
            entity,
            shown: squeezed(textOf(children)),
            citation: this.#citations(children)[0] ?? null,
          },
        ],
      },
    ];
  }

  #citations(nodes: readonly GmlNode[]): readonly Cited[] {
    return nodes.flatMap((node) => (typeof node === 'string' ? [] : (this.#cited.get(node) ?? [])));
  }

  /** Inline nodes as runs: space is squeezed, and a citation belongs to the words before it. */
  #runs(nodes: readonly GmlNode[]): Runs {
    const runs: Run[] = [];
    this.#gather(nodes, PLAIN, runs);
    trim(runs, 0, /^ +/);
    trim(runs, runs.length - 1, / +$/);
    return runs.filter(({ text, citations }) => text !== '' || citations.length > 0);
  }

  #gather(nodes: readonly GmlNode[], style: Style, runs: Run[]): void {
    for (const node of nodes) {
      if (typeof node === 'string') add(node, style, runs);
      else if (node.tag === CITATION) cite(this.#cited.get(node), runs);
      else if (node.tag === 'br') add(' ', style, runs);
      else this.#gather(node.children, styled(node, style), runs);
    }
  }
}

function joined(found: Block[], block: Block): void {
  const before = found.at(-1);
  if (block.type === 'metrics' && before?.type === 'metrics')
    found[found.length - 1] = { type: 'metrics', metrics: [...before.metrics, ...block.metrics] };
  else found.push(block);
}

function rowsOf({ children }: GmlElement): readonly (readonly GmlElement[])[] {
  return children.flatMap((child) => {
    if (typeof child === 'string') return [];
    if (['thead', 'tbody', 'table'].includes(child.tag)) return rowsOf(child);
    const cells =
      child.tag === 'tr'
        ? child.children.filter(
            (each): each is GmlElement => typeof each !== 'string' && ['td', 'th'].includes(each.tag),
          )
        : [];
    return cells.length === 0 ? [] : [cells];
  });
}

function squeezed(text: string): string {
  return text.replaceAll(SPACES, ' ').replaceAll(ENDS, '');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
