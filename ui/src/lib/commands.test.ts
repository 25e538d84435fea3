import { expect, test } from 'vitest';
import { type Command, searchCommands } from './commands';

const run = () => undefined;
const COMMANDS: readonly Command[] = [
  { id: 'a', title: 'Workspace and members', group: 'Go to', words: 'invitations', run },
  { id: 'b', title: 'Audit log', group: 'Go to', run },
  { id: 'c', title: 'Create an API key', group: 'Do', run },
  { id: 'd', title: 'API keys', group: 'Go to', run },
];
const ids = (text: string) => searchCommands(COMMANDS, text).map(({ id }) => id);

test('an empty search lists everything in its order', () => {
  expect(ids(' ')).toEqual(['a', 'b', 'c', 'd']);
});

test('every word must be found, in title, group or other words', () => {
  expect(ids('go invit')).toEqual(['a']);
  expect(ids('audit key')).toEqual([]);
});

test('titles that begin with the text come first', () => {
  expect(ids('api')).toEqual(['d', 'c']);
});
