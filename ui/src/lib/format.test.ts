import { describe, expect, test } from 'vitest';
import { clientName, count, fileSize, initials, plainName, relativeTime } from './format';

const NOW = Date.UTC(2026, 10, 15, 12);
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

describe('a time', () => {
  test.each([
    [10, 'just now'],
    [300, '5 minutes ago'],
    [7200, '2 hours ago'],
    [86_400, 'yesterday'],
    [-259_200, 'in 3 days'],
  ])('%i seconds before now reads “%s”', (seconds, text) => {
    expect(relativeTime(ago(seconds), NOW, 'en')).toBe(text);
  });

  test('beyond a week is a date', () => {
    expect(relativeTime(ago(30 * 86_400), NOW, 'en')).toBe('Oct 16, 2026');
  });
});

describe('a name', () => {
  test('of a file is shown without marks that turn it around', () => {
    expect(plainName('invoice\u202egnp.exe')).toBe('invoicegnp.exe');
  });

  test.each([
    ['Ada Lovelace', 'AL'],
    ['ada', 'A'],
    ['Ada King Noel', 'AN'],
    ['  ', '?'],
  ])('%s is shortened to %s', (name, short) => {
    expect(initials(name)).toBe(short);
  });

  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome on Windows'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'Unknown program'],
  ])('%s is the client %s', (client, name) => {
    expect(clientName(client)).toBe(name);
  });

  test('counts one and many', () => {
    expect([count(1, 'entry', 'entries'), count(2, 'entry', 'entries')]).toEqual(['1 entry', '2 entries']);
  });
});

describe('a size', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1012, '1.01 kB'],
    [340_000, '340 kB'],
    [1_234_567, '1.23 MB'],
    [5e9, '5 GB'],
  ])('%i bytes read “%s”', (bytes, text) => {
    expect(fileSize(bytes, 'en').replace('\u00a0', ' ')).toBe(text);
  });
});
