import { describe, expect, it } from 'vitest';
import { chapterUp, editBlocksOf, gmlOf, namesOf, wholeOf, without } from './editing';

const cite = (name: string) => `<gml-inlinecitation identifier="${name}"/>`;
const GML = [
  '<h1>Trucks</h1>',
  `<gml-gradientinsightbox title="Summary">In short.${cite('a.0-1')}</gml-gradientinsightbox>`,
  '<h2>First</h2>',
  `<p>Profit &amp; loss rose by <strong>9 %</strong>.${cite('a.0-1')}${cite('b.0-2')}</p>`,
  '<gml-row>',
  '<gml-primarycolumn>',
  `<ul><li>One${cite('b.0-2')}</li><li>Two [7]</li></ul>`,
  '</gml-primarycolumn>',
  '</gml-row>',
  '<h2>Second</h2>',
  '<gml-table caption="T"><table></table></gml-table>',
  '<gml-sources/>',
].join('\n');

describe('a report that is edited by hand', () => {
  const names = namesOf(GML);
  const blocks = editBlocksOf(GML, names);

  it('is words with numbers for its citations', () => {
    expect(names).toEqual(['a.0-1', 'b.0-2']);
    expect(blocks.map(({ text }) => text).filter((text) => text !== null)).toEqual([
      'In short.[1]',
      'First',
      'Profit & loss rose by **9 %**.[1][2]',
      String.raw`One[2]` + '\n' + String.raw`Two \[7]`,
      'Second',
    ]);
  });

  it('is written back as it was when nothing is changed', () => {
    expect(wholeOf('Trucks', blocks, names)).toBe(GML);
  });

  it('keeps the citations of a sentence that is written anew', () => {
    const block = blocks[2];
    if (block === undefined) throw new Error('there is a paragraph');
    expect(gmlOf({ ...block, text: 'It *fell* <b>by 8 %.[2] [9]' }, names)).toBe(
      `<p>It <em>fell</em> &lt;b&gt;by 8 %.${cite('b.0-2')} [9]</p>`,
    );
    expect(gmlOf({ ...block, text: ' ' }, names)).toBe('');
  });

  it('loses a chapter whole and moves it whole', () => {
    const at = blocks.findIndex(({ text }) => text === 'Second');
    expect(without(blocks, at).map(({ source }) => source)).toEqual([
      ...blocks.slice(0, at).map(({ source }) => source),
      '<gml-sources/>',
    ]);
    const moved = chapterUp(blocks, at)?.map(({ source }) => source) ?? [];
    expect(moved.indexOf('<h2>Second</h2>')).toBeLessThan(moved.indexOf('<h2>First</h2>'));
    expect(moved.length).toBe(blocks.length);
    expect(moved.at(-1)).toBe('<gml-sources/>');
    expect(chapterUp(blocks, 1)).toBeNull();
  });
});
