import { render, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { blocksOf } from '@/lib/markdownBlocks';
import { type CitationProps, Markdown } from './Markdown';

const CITE = '<gml-inlinecitation identifier="ab.0-9"/>';

function Chip({ ordinal }: CitationProps) {
  return <button type="button">{ordinal}</button>;
}

function show(text: string) {
  return render(<Markdown closed={blocksOf(text)} Citation={Chip} />).container;
}

describe('Markdown', () => {
  test('shows headings, lists, tables, code and links', () => {
    show(
      '# Top\n\n- **bold** and `code`\n- [x] done\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n3. third\n\n[site](https://example.org) &amp; more',
    );
    expect(screen.getByRole('heading', { level: 3 })).toHaveTextContent('Top');
    expect(screen.getByText('bold').tagName).toBe('STRONG');
    expect(
      within(screen.getByRole('table'))
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['1', '2']);
    expect(screen.getAllByRole('list')[1]).toHaveAttribute('start', '3');
    expect(screen.getByRole('link', { name: 'site' })).toHaveAttribute('rel', 'noopener noreferrer');
    expect(screen.getByText('& more', { exact: false })).toBeInTheDocument();
  });

  test('numbers the citations over the whole text', () => {
    show(`One ${CITE} two ${CITE}\n\n- three ${CITE}\n\n| a |\n| - |\n| ${CITE} |`);
    expect(screen.getAllByRole('button').map((chip) => chip.textContent)).toEqual(['0', '1', '2', '3']);
  });

  test('never makes an element out of HTML in the text', () => {
    const page = show(
      '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> <a href="javascript:alert(1)" onclick="x">a</a> <style>*{}</style>\n\n' +
        '[x](javascript:alert(1)) [y](data:text/html,1) [z](vbscript:1) ![p](https://example.org/p.png)\n\n<div id=main><form action=/x><input name=y></form></div>',
    );
    expect(page.querySelector('script, img, style, form, input, iframe, [onclick], [id]')).toBeNull();
    expect([...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      'https://example.org/p.png',
    ]);
    expect(page).toHaveTextContent('<script>alert(1)</script>');
  });

  test('reads hostile text in little time, as it is written', () => {
    const hostile = [
      '_a*'.repeat(5_000),
      '> '.repeat(5_000),
      '['.repeat(20_000),
      '~a'.repeat(10_000),
      '<'.repeat(10_000),
    ];
    const began = performance.now();
    for (const text of hostile) expect(show(text)).toHaveTextContent(text.slice(0, 5).trim());
    expect(performance.now() - began).toBeLessThan(4_000);
  });
});
