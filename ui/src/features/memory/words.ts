/** Memory in words: groups, speakers, ends and losses as people say them. */
import { count } from '@/lib/format';
import type { EndReason, Episode, Fact, Forgotten } from '@/lib/memoryWire';
import type { Standing } from './time';

const PERSONAL = 'user:';

/** A person's own group has no name but whose it is. */
export function groupName(groupId: string): string {
  return groupId.startsWith(PERSONAL) ? 'Your conversations' : groupId;
}

export function isPersonal(groupId: string): boolean {
  return groupId.startsWith(PERSONAL);
}

const ROLES: Readonly<Record<string, string>> = { user: 'A person', assistant: 'The assistant', system: 'The system' };

/** Who said it. */
export function speakerOf({ role, role_type, source }: Pick<Episode, 'role' | 'role_type' | 'source'>): string {
  if (source === 'correction') return role || 'A correction by hand';
  return role || (ROLES[role_type] ?? role_type);
}

/** What was said, without the speaker that the record begins with. */
export function sayingOf({ content, role, role_type }: Pick<Episode, 'content' | 'role' | 'role_type'>): string | null {
  if (content === null) return null;
  const prefix = `${role}(${role_type}): `;
  return content.startsWith(prefix) ? content.slice(prefix.length) : content;
}

export const STANDINGS: Readonly<Record<Standing, { readonly word: string; readonly tone: 'ok' | 'plain' | 'warn' }>> =
  {
    holds: { word: 'Holds', tone: 'ok' },
    ended: { word: 'Ended', tone: 'plain' },
    coming: { word: 'Not yet', tone: 'warn' },
    unknown: { word: 'Not known yet', tone: 'warn' },
  };

const ENDS: Readonly<Record<EndReason, string>> = {
  superseded: 'Something newer took its place.',
  contradicted: 'Another statement contradicts it.',
  ended: 'It was said to have ended.',
  corrected: 'It was corrected by hand.',
};

export function endOf({ end_reason }: Pick<Fact, 'end_reason'>): string | null {
  return end_reason === null ? null : ENDS[end_reason];
}

/** A relation as words: `works_for` reads “works for”. */
export function relationName(relation: string): string {
  return relation.replaceAll('_', ' ').toLocaleLowerCase();
}

/** An attribute's value, whatever it is. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** What a forgetting takes, one line each; nothing is not a line. */
export function lossesOf({ episodes, facts, nodes }: Forgotten): readonly string[] {
  return [
    episodes > 0 && `${count(episodes, 'episode')}, with every word said in ${episodes === 1 ? 'it' : 'them'}`,
    facts > 0 && `${count(facts, 'fact')} that nothing else proves`,
    nodes > 0 && `${count(nodes, 'node')} that nothing else names`,
  ].filter((line) => line !== false);
}

/** What a forgetting brings back, and what it cannot reach. */
export function aftermathOf({ reopened, copies }: Forgotten): readonly string[] {
  return [
    reopened > 0 && `${count(reopened, 'fact')} that it had ended ${reopened === 1 ? 'holds' : 'hold'} again.`,
    copies > 0 &&
      `${count(copies, 'answer cites', 'answers cite')} it and ${copies === 1 ? 'keeps its' : 'keep their'} own copy of the words.`,
  ].filter((line) => line !== false);
}
