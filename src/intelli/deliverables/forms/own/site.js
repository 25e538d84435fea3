/* Search, the sidebar of sources and the place in the contents. Without it the page reads as well: citations are links. */
'use strict';
(function () {
  const byId = (id) => document.getElementById(id);
  const main = byId('main');
  const evidence = byId('evidence');
  const passage = byId('passage');
  let opened = null;
  document.documentElement.classList.add('scripted');

  function open(cite) {
    const note = byId(cite.getAttribute('href').slice(1));
    if (!note) return;
    close(false);
    opened = cite;
    cite.classList.add('open');
    const title = document.createElement('h2');
    title.textContent = passage.dataset.note + ' ' + note.value;
    passage.replaceChildren(title, ...Array.from(note.childNodes, (node) => node.cloneNode(true)));
    evidence.hidden = false;
    passage.focus();
  }

  function close(returnsFocus) {
    evidence.hidden = true;
    if (!opened) return;
    opened.classList.remove('open');
    if (returnsFocus) opened.focus();
    opened = null;
  }

  document.addEventListener('click', (event) => {
    const cite = event.target.closest('a.cite');
    if (!cite || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    open(cite);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close(true);
  });
  byId('close').addEventListener('click', () => close(true));

  const places = Array.from(main.querySelectorAll('h2, h3, h4, p, li, td, blockquote, figcaption, dt'));
  places.forEach((place, number) => { if (!place.id) place.id = 'at-' + number; });
  const texts = places.map((place) => {
    const bare = place.cloneNode(true);
    bare.querySelectorAll('a.cite').forEach((cite) => cite.remove());
    return bare.textContent;
  });

  function excerpt(text, at, length) {
    const line = document.createElement('a');
    const mark = document.createElement('mark');
    const from = Math.max(0, at - 40);
    mark.textContent = text.slice(at, at + length);
    line.append((from ? '…' : '') + text.slice(from, at), mark, text.slice(at + length, at + length + 60) + '…');
    return line;
  }

  function search(words) {
    const wanted = words.trim().toLowerCase();
    const list = byId('found');
    list.replaceChildren();
    if (wanted.length < 2) { byId('count').textContent = ''; return; }
    const hits = places.map((place, number) => [place, texts[number], texts[number].toLowerCase().indexOf(wanted)]).filter(([, , at]) => at >= 0);
    byId('count').textContent = hits.length + ' ' + byId('count').dataset.places;
    hits.slice(0, 30).forEach(([place, text, at]) => {
      const item = document.createElement('li');
      const line = excerpt(text, at, wanted.length);
      line.href = '#' + place.id;
      item.append(line);
      list.append(item);
    });
  }
  byId('search').addEventListener('input', (event) => search(event.target.value));

  const lines = new Map(Array.from(document.querySelectorAll('.contents a'), (line) => [line.getAttribute('href').slice(1), line]));
  if ('IntersectionObserver' in window) {
    const seen = new IntersectionObserver((entries) => {
      entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
        lines.forEach((line) => line.classList.remove('here'));
        lines.get(entry.target.id).classList.add('here');
      });
    }, { rootMargin: '0px 0px -70% 0px' });
    lines.forEach((line, id) => { if (byId(id)) seen.observe(byId(id)); });
  }
})();
