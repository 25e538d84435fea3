/** Finding words in what is drawn, wherever elements begin and end in between. */

/** The first place where the words stand in an element; spaces make no difference, and what `skip` selects is passed over. */
export function rangeOf(root: Element, words: string, skip: string): Range | null {
  const wanted = compact(words);
  if (wanted === '') return null;
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.parentElement?.closest(skip) === null) nodes.push(node);
  }
  const at = compact(nodes.map(({ data }) => data).join('')).indexOf(wanted);
  if (at < 0) return null;
  const [first, last] = [placeOf(nodes, at), placeOf(nodes, at + wanted.length - 1)];
  if (first === null || last === null) return null;
  const range = document.createRange();
  range.setStart(first.node, first.offset);
  range.setEnd(last.node, last.offset + 1);
  return range;
}

function compact(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** Where the character stands that has so many others before it, spaces not counted. */
function placeOf(nodes: readonly Text[], position: number): { node: Text; offset: number } | null {
  let left = position;
  for (const node of nodes) {
    const solid = compact(node.data).length;
    if (left < solid) {
      for (let offset = 0; offset < node.data.length; offset += 1)
        if (/\S/.test(node.data.charAt(offset)) && left-- === 0) return { node, offset };
    }
    left -= solid;
  }
  return null;
}
