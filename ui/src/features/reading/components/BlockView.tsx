import { clsx } from 'clsx';
import { Paperclip } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { ReadingBlock } from '@/lib/wire';
import { isGrid } from '../grid';
import type { Span } from '../place';
import { GridView } from './GridView';
import { MarkedText } from './MarkedText';

interface BlockViewProps {
  block: ReadingBlock;
  /** The passage, where it touches this block; else null, so that other blocks need not be drawn again. */
  span: Span | null;
}

const HEADINGS = ['text-lg mt-3', 'text-md mt-3', 'text-base mt-2', 'text-base mt-2'] as const;

/** One block of a document, by its kind. */
export const BlockView = memo(function BlockView({ block, span }: BlockViewProps) {
  const text = <MarkedText text={block.text} at={block.start} span={span} />;
  switch (block.kind) {
    case 'heading':
      return (
        <div
          role="heading"
          aria-level={Math.min(6, Math.max(3, block.level + 2))}
          className={clsx(
            'font-serif font-semibold text-balance',
            HEADINGS[Math.min(block.level, 4) - 1] ?? HEADINGS[0],
          )}
        >
          {text}
        </div>
      );
    case 'table':
      return isGrid(block.text) ? <GridView block={block} span={span} /> : <Preformatted>{text}</Preformatted>;
    case 'code':
      return <Preformatted>{text}</Preformatted>;
    case 'list':
      return <div className="pl-4 whitespace-pre-wrap">{text}</div>;
    case 'furniture':
      return <div className="text-xs whitespace-pre-wrap text-ink-3">{text}</div>;
    case 'note':
      return <aside className="rounded-md bg-bg px-3 py-2 text-sm whitespace-pre-wrap text-ink-2">{text}</aside>;
    case 'attachment':
      return (
        <div className="flex items-start gap-2 text-sm text-ink-2">
          <Paperclip aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
          <span>{text}</span>
        </div>
      );
    default:
      return <p className="whitespace-pre-wrap">{text}</p>;
  }
});

function Preformatted({ children }: { children: ReactNode }) {
  return (
    // Long lines scroll in their own box, which the keyboard must reach.
    <pre
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line bg-bg px-3 py-2 font-mono text-xs leading-relaxed"
    >
      {children}
    </pre>
  );
}
