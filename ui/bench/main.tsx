/** Streams a long answer onto the page in one of two ways, and counts the frames that the browser gets to draw. */
import { createRoot } from 'react-dom/client';
import { Markdown } from '@/components/markdown/Markdown';
import { blocksOf, BlockSplitter, type MarkdownBlock } from '@/lib/markdownBlocks';
import '@/styles/app.css';

const SENTENCE = 'The count of the northern lake rose to **14** pairs in 2025, as `table 3` of the report says. ';
const EVENT_MS = 30;

interface Wish {
  readonly way: 'blocks' | 'whole';
  readonly bytes: number;
  readonly seconds: number;
}

interface Frames {
  readonly perSecond: number;
  readonly longestMs: number;
}

declare global {
  interface Window {
    stream: (wish: Wish) => Promise<Frames>;
  }
}

function answerOf(bytes: number): string {
  const kinds = [
    (text: string) => text,
    (text: string) => `- ${text}\n- ${text}`,
    (text: string) => `### ${SENTENCE}\n\n${text}`,
  ];
  let answer = '';
  for (let block = 0; answer.length < bytes; block += 1)
    answer += `${kinds[block % kinds.length]?.(SENTENCE.repeat(4))}<gml-inlinecitation identifier="s.${block}-9"/>\n\n`;
  return answer.slice(0, bytes);
}

function Chip() {
  return <sup>1</sup>;
}

/** The text cut and read anew, as if none of it had been there before. */
function anew(text: string): readonly MarkdownBlock[] {
  return blocksOf(text).map(({ text: block }) => ({ text: block, firstCitation: text.length }));
}

window.stream = async ({ way, bytes, seconds }) => {
  const root = createRoot(document.getElementById('root')?.appendChild(document.createElement('div')) ?? document.body);
  const text = answerOf(bytes);
  const splitter = new BlockSplitter();
  const frames: number[] = [];
  let shown = 0;
  const began = performance.now();
  const show = (until: number) => {
    splitter.push(text.slice(shown, until));
    shown = until;
    const tail = splitter.tail;
    root.render(
      way === 'blocks' ? (
        <Markdown closed={splitter.closed} tail={tail} Citation={Chip} />
      ) : (
        <Markdown closed={anew(text.slice(0, until))} Citation={Chip} />
      ),
    );
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(
      () => show(Math.min(text.length, Math.round((text.length * (performance.now() - began)) / (seconds * 1000)))),
      EVENT_MS,
    );
    const frame = (now: number) => {
      frames.push(now);
      if (shown < text.length) {
        requestAnimationFrame(frame);
        return;
      }
      clearInterval(timer);
      resolve();
    };
    requestAnimationFrame(frame);
  });
  const taken = performance.now() - began;
  const gaps = frames.slice(1).map((at, position) => at - (frames[position] ?? at));
  root.unmount();
  return { perSecond: (frames.length / taken) * 1000, longestMs: Math.max(...gaps) };
};
