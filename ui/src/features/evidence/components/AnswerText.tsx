import type { ComponentProps } from 'react';
import { Markdown } from '@/components/markdown/Markdown';
import type { MarkdownBlock } from '@/lib/markdownBlocks';
import { CitationChip } from './CitationChip';
import { CitedText } from './CitedText';

interface AnswerTextProps extends Omit<ComponentProps<typeof CitedText>, 'children'> {
  closed: readonly MarkdownBlock[];
  tail?: MarkdownBlock | null;
}

/** An answer with its citations. */
export function AnswerText({ closed, tail = null, ...text }: AnswerTextProps) {
  return (
    <CitedText {...text}>
      <Markdown closed={closed} tail={tail} Citation={CitationChip} />
    </CitedText>
  );
}
