import { expect, test } from 'vitest';
import { hasPagePictures, kindOf } from './fileKind';

test.each([
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheet'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'slides'],
  ['text/csv; charset=utf-8', 'sheet'],
  ['text/markdown', 'text'],
  ['text/html', 'web'],
  ['message/rfc822', 'mail'],
  ['image/png', 'image'],
  ['application/json', 'data'],
  ['application/zip', 'archive'],
  ['application/octet-stream', 'other'],
])('%s is a %s', (type, kind) => {
  expect(kindOf(type)).toBe(kind);
});

test('only PDFs and pictures are shown as pictures', () => {
  expect(hasPagePictures('application/pdf')).toBe(true);
  expect(hasPagePictures('text/plain')).toBe(false);
});
