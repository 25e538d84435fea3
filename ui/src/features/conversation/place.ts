/** What the addresses keep: the branch of a conversation, and what a new one is to be about. */

export interface ConversationSearch {
  /** A message on the branch that is shown; the newest when left out. */
  readonly at?: string;
}

const ID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function readConversationSearch(raw: Record<string, unknown>): ConversationSearch {
  return typeof raw.at === 'string' && ID.test(raw.at) ? { at: raw.at } : {};
}

export interface AskSearch {
  /** A document to put in focus. */
  readonly file?: string;
  /** The path of a folder to put in focus. */
  readonly folder?: string;
}

export function readAskSearch(raw: Record<string, unknown>): AskSearch {
  if (typeof raw.file === 'string' && ID.test(raw.file)) return { file: raw.file };
  return typeof raw.folder === 'string' && raw.folder.startsWith('/') ? { folder: raw.folder } : {};
}
