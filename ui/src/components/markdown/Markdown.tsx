import { type ComponentType, Fragment, memo, type ReactNode } from 'react';
import { segmentsOf } from '@/lib/citations';
import type { MarkdownBlock } from '@/lib/markdownBlocks';
import { type CitationToken, codeText, plainText, safeHref, type Token, type Tokens, tokensOf } from './tokens';

export interface CitationProps {
  /** Which citation of the whole text it is, counted from zero. */
  ordinal: number;
}

interface BlockProps {
  block: MarkdownBlock;
  /** How a citation is shown. */
  Citation: ComponentType<CitationProps>;
}

interface MarkdownProps extends Omit<BlockProps, 'block'> {
  closed: readonly MarkdownBlock[];
  tail?: MarkdownBlock | null;
}

/** So many blocks are looked at as one: whether they changed, and whether they are in view. */
const PART = 16;

/** Markdown made of React elements, never of HTML. Only the last block is drawn anew while the text grows. */
export const Markdown = memo(function Markdown({ closed, tail = null, Citation }: MarkdownProps) {
  const blocks = tail === null ? closed : [...closed, tail];
  const parts = Array.from({ length: Math.ceil(blocks.length / PART) }, (_, part) =>
    blocks.slice(part * PART, (part + 1) * PART),
  );
  return (
    <div className="prose">
      {parts.map((part, position) => (
        <Part key={position} blocks={part} Citation={Citation} />
      ))}
    </div>
  );
});

interface PartProps extends Omit<BlockProps, 'block'> {
  blocks: readonly MarkdownBlock[];
}

const Part = memo(
  function Part({ blocks, Citation }: PartProps) {
    return (
      <div className="prose-part">
        {blocks.map((block, position) => (
          <Block key={position} block={block} Citation={Citation} />
        ))}
      </div>
    );
  },
  (before, after) =>
    before.Citation === after.Citation &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, position) => block === after.blocks[position]),
);

const Block = memo(
  function Block({ block, Citation }: BlockProps) {
    const tokens = tokensOf(block.text);
    return (
      <div className="prose-block">
        {tokens === null ? (
          <AsWritten block={block} Citation={Citation} />
        ) : (
          new Drawing(block, Citation).blocks(tokens)
        )}
      </div>
    );
  },
  (before, after) =>
    before.Citation === after.Citation &&
    before.block.text === after.block.text &&
    before.block.firstCitation === after.block.firstCitation,
);

function AsWritten({ block, Citation }: BlockProps) {
  return (
    <p className="whitespace-pre-wrap">
      {segmentsOf(block.text).map(({ text, ordinal }, position) =>
        ordinal === undefined ? text : <Citation key={position} ordinal={block.firstCitation + ordinal} />,
      )}
    </p>
  );
}

/** The page has its title and each question its own: what the text calls first is the third level here. */
const LEVELS = ['h3', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

/** One walk over the tokens of a block. */
class Drawing {
  readonly #first: number;
  readonly #Citation: ComponentType<CitationProps>;

  constructor(block: MarkdownBlock, Citation: ComponentType<CitationProps>) {
    this.#first = block.firstCitation;
    this.#Citation = Citation;
  }

  blocks(tokens: readonly Token[]): ReactNode[] {
    return tokens.map((token, key) => this.#block(token, key));
  }

  #block(token: Token, key: number): ReactNode {
    switch (token.type) {
      case 'space':
      case 'checkbox':
        return null;
      case 'heading': {
        const { depth, tokens } = token as Tokens.Heading;
        const Level = LEVELS[depth - 1] ?? 'h6';
        return <Level key={key}>{this.#line(tokens)}</Level>;
      }
      case 'paragraph':
        return <p key={key}>{this.#line((token as Tokens.Paragraph).tokens)}</p>;
      case 'blockquote':
        return <blockquote key={key}>{this.blocks((token as Tokens.Blockquote).tokens)}</blockquote>;
      case 'code':
        return (
          <pre key={key} tabIndex={0}>
            <code>{codeText((token as Tokens.Code).text)}</code>
          </pre>
        );
      case 'hr':
        return <hr key={key} />;
      case 'list':
        return this.#list(token as Tokens.List, key);
      case 'table':
        return this.#table(token as Tokens.Table, key);
      default:
        return <p key={key}>{this.#line([token])}</p>;
    }
  }

  #list({ ordered, start, items }: Tokens.List, key: number): ReactNode {
    const rows = items.map((item, row) => (
      <li key={row}>
        {item.task && (
          <input
            type="checkbox"
            checked={item.checked ?? false}
            disabled
            aria-label={item.checked ? 'Done' : 'Not done'}
          />
        )}
        {item.tokens.map((token, position) =>
          isInline(token) ? (
            <Fragment key={position}>{this.#inline(token, position)}</Fragment>
          ) : (
            this.#block(token, position)
          ),
        )}
      </li>
    ));
    return ordered ? (
      <ol key={key} start={start === '' ? 1 : start}>
        {rows}
      </ol>
    ) : (
      <ul key={key}>{rows}</ul>
    );
  }

  #table({ header, rows }: Tokens.Table, key: number): ReactNode {
    const cell = ({ tokens, align }: Tokens.TableCell, column: number, Cell: 'th' | 'td') => (
      <Cell key={column} align={align ?? undefined} {...(Cell === 'th' && { scope: 'col' })}>
        {this.#line(tokens)}
      </Cell>
    );
    return (
      <div key={key} className="prose-table" tabIndex={0} role="region" aria-label="Table">
        <table>
          <thead>
            <tr>{header.map((one, column) => cell(one, column, 'th'))}</tr>
          </thead>
          <tbody>
            {rows.map((row, number) => (
              <tr key={number}>{row.map((one, column) => cell(one, column, 'td'))}</tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }

  #line(tokens: readonly Token[]): ReactNode[] {
    return tokens.map((token, key) => this.#inline(token, key));
  }

  #inline(token: Token, key: number): ReactNode {
    const inner = () => this.#line((token as Tokens.Generic).tokens ?? []);
    switch (token.type) {
      case 'citation': {
        const Citation = this.#Citation;
        return <Citation key={key} ordinal={this.#first + (token as unknown as CitationToken).ordinal} />;
      }
      case 'strong':
        return <strong key={key}>{inner()}</strong>;
      case 'em':
        return <em key={key}>{inner()}</em>;
      case 'del':
        return <del key={key}>{inner()}</del>;
      case 'codespan':
        return <code key={key}>{codeText((token as Tokens.Codespan).text)}</code>;
      case 'br':
        return <br key={key} />;
      case 'link':
        return this.#link(token as Tokens.Link, key, inner());
      // A picture would be fetched from a stranger's server; its name is enough.
      case 'image':
        return this.#link(token as Tokens.Image, key, [(token as Tokens.Image).text]);
      default: {
        const { tokens, text, raw } = token as Tokens.Text;
        return tokens === undefined ? plainText(text ?? raw) : this.#line(tokens);
      }
    }
  }

  #link({ href }: { href: string }, key: number, inner: ReactNode): ReactNode {
    const safe = safeHref(href);
    if (safe === null) return <span key={key}>{inner}</span>;
    return (
      <a key={key} href={safe} target="_blank" rel="noopener noreferrer">
        {inner}
      </a>
    );
  }
}

function isInline(token: Token): boolean {
  return token.type === 'text' || token.type === 'escape';
}
