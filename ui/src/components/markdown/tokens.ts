/** Markdown as tokens. Raw HTML is text, a citation is a token of its own, and no text can make the reading slow. */
import { Marked, type Token, type TokenizerExtension } from 'marked';
import { segmentsOf } from '@/lib/citations';

export type { Token, Tokens } from 'marked';

export interface CitationToken {
  readonly type: 'citation';
  readonly raw: string;
  /** Which citation of the block it is. */
  readonly ordinal: number;
}

/** Signs whose pairs the parser looks for again and again; a block with more of them is shown as it is written. */
const MOST_SIGNS = 1_500;
const SIGNS = /[[*_~`>]/g;
/** A citation on its way through the parser: private characters, which no one writes, around its ordinal. */
const SIGN = { open: '\ue000', close: '\ue001' } as const;
const PRIVATE = /[\ue000\ue001]/g;
const CITATION = /^\ue000(\d+)\ue001/;

const citation: TokenizerExtension = {
  name: 'citation',
  level: 'inline',
  start: (source) => source.indexOf(SIGN.open),
  tokenizer: (source) => {
    const found = CITATION.exec(source);
    return found ? { type: 'citation', raw: found[0], ordinal: Number(found[1]) } : undefined;
  },
};

const marked = new Marked({ gfm: true, extensions: [citation] });
// Inside a line HTML is text, so that its characters go on to the next rule; as a block it is a paragraph.
marked.use({ tokenizer: { html: () => undefined, tag: () => undefined, def: () => undefined } });

/** Null when the text is not to be read as Markdown. */
export function tokensOf(text: string): readonly Token[] | null {
  if ((text.match(SIGNS)?.length ?? 0) > MOST_SIGNS) return null;
  try {
    return marked.lexer(signed(text));
  } catch {
    // Thousands of nested quotes overflow the parser's stack.
    return null;
  }
}

/** What counts as a citation is decided before the parser sees it: its ordinals are then the server's. */
function signed(text: string): string {
  return segmentsOf(text.replace(PRIVATE, ''))
    .map(({ text: piece, ordinal }) => (ordinal === undefined ? piece : `${SIGN.open}${ordinal}${SIGN.close}`))
    .join('');
}

/** Where a link may lead: other schemes could run a script or open a program. */
export function safeHref(href: string): string | null {
  return /^(?:https?:\/\/|mailto:)/i.test(href) ? href : null;
}

const NAMED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

/** Code as it is; a citation that the parser took for a part of it is left out. */
export function codeText(text: string): string {
  return text.includes(SIGN.open) ? text.replace(/\ue000\d+\ue001/g, '') : text;
}

/** Text with the entities that writers use as the characters they stand for. */
export function plainText(text: string): string {
  return text.includes('&') ? text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => NAMED[name] ?? name) : text;
}
