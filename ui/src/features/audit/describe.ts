/** What an entry says, as a sentence without its subject: "signed in", "removed Bea". */
import type { AuditEntry } from '@/lib/wire';
import { EVENT_NAMES } from './filters';

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
      return 'tried to sign in with a wrong password';
    case 'key_created':
      return `created an API key${detail('scopes') ? ` (${detail('scopes')?.replaceAll(' ', ', ')})` : ''}`;
    case 'key_revoked':
      return 'revoked an API key';
    case 'export':
      return `exported the ${detail('what') === 'audit' ? 'log' : (detail('what') ?? 'data')}${detail('format') ? ` as ${detail('format')?.toUpperCase()}` : ''}`;
    case 'settings_change':
      return changeOf(entry, detail('change'), detail('role'), nameOf);
    default:
      return EVENT_NAMES[entry.event_type]?.toLowerCase() ?? entry.event_type;
  }
}

function changeOf(entry: AuditEntry, change: string | undefined, role: string | undefined, nameOf: NameOf): Sentence {
  const name = entry.entity_id === entry.user_id ? 'themselves' : (entry.entity_id && nameOf(entry.entity_id)) || 'a member';
  const sentences: Record<string, Sentence> = {
    created: 'created the workspace',
    renamed: 'renamed the workspace',
    profile: 'changed their name',
    password: 'changed their password',
    invited: `invited ${role ? `${article(role)} ${role}` : 'someone'}`,
    withdrawn: 'withdrew an invitation',
    joined: `joined${role ? ` as ${role}` : ''}`,
    role: { before: 'made ', name, after: ` ${role ?? 'something else'}` },
    left: 'left the workspace',
    removed: { before: 'removed ', name, after: '' },
  };
  return sentences[change ?? ''] ?? 'changed settings';
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
