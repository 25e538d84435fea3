/** What an entry says, as a sentence without its subject: "signed in", "removed Bea". */
import type { AuditEntry } from '@/lib/wire';

/** The name of a person by id; undefined for someone who is gone. */
export type NameOf = (userId: string) => string | undefined;
/** Words of ours around a person's name, which may run in another direction than they do. */
export type Sentence = string | { readonly before: string; readonly name: string; readonly after: string };

export function subjectOf(entry: AuditEntry, nameOf: NameOf): string {
  if (entry.user_id === null) return entry.event_type === 'login_failed' ? 'Someone' : 'Intelli';
  return nameOf(entry.user_id) ?? 'A former member';
}

export function sentenceOf(entry: AuditEntry, nameOf: NameOf): Sentence {
  const detail = (key: string) => (typeof entry.details[key] === 'string' ? entry.details[key] : undefined);
  switch (entry.event_type) {
    case 'login':
      return detail('how') === 'switch' ? 'came in from another workspace' : 'signed in';
    case 'login_failed':
      return FAILED_SIGN_INS[detail('reason') ?? ''] ?? 'tried to sign in with a wrong password';
    case 'key_created':
      return `created an API key${detail('scopes') ? ` (${detail('scopes')?.replaceAll(' ', ', ')})` : ''}`;
    case 'key_revoked':
      return detail('reason') === 'password_change' ? 'ended an API key with a new password' : 'revoked an API key';
    case 'export':
      return `exported the ${detail('what') === 'audit' ? 'log' : (detail('what') ?? 'data')}${detail('format') ? ` as ${detail('format')?.toUpperCase()}` : ''}`;
    case 'settings_change':
      return changeOf(entry, detail('change'), detail('role'), nameOf);
    case 'file_modification':
      return `${FILE_ACTS[detail('action') ?? ''] ?? 'changed'} ${thingOf(entry)}`;
    case 'file_read':
      return `opened ${thingOf(entry)}`;
    case 'erase':
      return detail('what') === 'artifacts' ? 'cleared away files that nothing refers to' : `erased ${thingOf(entry)}`;
    case 'request_start':
      return 'asked a question';
    case 'completion':
      if (entry.entity_type === 'deliverable') return `finished ${thingOf(entry)}`;
      return entry.success ? 'finished an answer' : 'stopped an answer';
    case 'error':
      return 'could not finish an answer';
    case 'write_permission_request':
      return 'asked to change a document';
    case 'user_approval':
    case 'user_rejection':
      return decisionOf(entry, detail('action'));
    default:
      entry.event_type satisfies never;
      return 'did something';
  }
}

const FAILED_SIGN_INS: Record<string, string> = {
  unknown_account: 'tried to sign in to an account that is not there',
  refresh_token_reused: 'came with a session that was taken over by another, which ended it',
};
const FILE_ACTS: Record<string, string> = {
  create: 'made',
  created: 'added',
  upload: 'added',
  renamed: 'renamed',
  move: 'moved',
  moved: 'moved',
  restored: 'restored an earlier version of',
  delete: 'deleted',
};
const THINGS: Record<string, string> = {
  document: 'a document',
  folder: 'a folder',
  pointer: 'a pointer',
  deliverable: 'a deliverable',
  conversation: 'a conversation',
  memory_episode: 'a message from memory',
  memory_fact: 'a fact from memory',
  memory_node: 'a subject from memory',
};

/** Entries name things by their kind, never by their content: a log outlives what was deleted. */
function thingOf({ entity_type, details }: AuditEntry): string {
  if (details['kind'] === 'memory_group') return 'a group of memories';
  return THINGS[entity_type ?? ''] ?? 'a file';
}

function decisionOf({ entity_type, event_type }: AuditEntry, action: string | undefined): string {
  const thing = entity_type === 'citation' ? 'a citation' : 'a change';
  if (action === 'taken_back') return `took back a decision on ${thing}`;
  if (event_type === 'user_approval') return `${entity_type === 'citation' ? 'accepted' : 'approved'} ${thing}`;
  return `${entity_type === 'citation' ? 'disputed' : 'rejected'} ${thing}`;
}

function changeOf(entry: AuditEntry, change: string | undefined, role: string | undefined, nameOf: NameOf): Sentence {
  const name =
    entry.entity_id === entry.user_id ? 'themselves' : (entry.entity_id && nameOf(entry.entity_id)) || 'a member';
  const sentences: Record<string, Sentence> = {
    created: 'created the workspace',
    renamed: 'renamed the workspace',
    profile: 'changed their name',
    password: 'changed their password',
    sessions_ended: 'ended their other sessions',
    invited: `invited ${role ? `${article(role)} ${role}` : 'someone'}`,
    withdrawn: 'withdrew an invitation',
    joined: `joined${role ? ` as ${role}` : ''}`,
    role: { before: 'made ', name, after: ` ${role ?? 'something else'}` },
    left: 'left the workspace',
    log_anchored: 'began to keep the end of this log outside the database',
    log_accepted: 'accepted this log as it was found',
    removed: { before: 'removed ', name, after: '' },
  };
  return sentences[change ?? ''] ?? 'changed settings';
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
