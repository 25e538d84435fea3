/** The tabs of the sources: what each source is. */
import { type CitedFile, type Entity, ENTITY_TYPES } from '@/lib/conversationWire';
import { kindOf } from '@/lib/fileKind';

export const SOURCE_KINDS = ['documents', 'web', 'data', 'generated', 'memory'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
export type Tab = 'all' | SourceKind;

export const TABS: readonly { readonly tab: Tab; readonly name: string }[] = [
  { tab: 'all', name: 'All' },
  { tab: 'web', name: 'Web' },
  { tab: 'data', name: 'Data' },
  { tab: 'documents', name: 'Documents' },
  { tab: 'generated', name: 'Generated' },
  { tab: 'memory', name: 'Memory' },
];

export function kindOfSource({ source_type, mime_type }: Pick<CitedFile, 'source_type' | 'mime_type'>): SourceKind {
  if (source_type === 'memory') return 'memory';
  if (source_type.startsWith('web')) return 'web';
  if (source_type.startsWith('generated')) return 'generated';
  if (source_type.includes('api')) return 'data';
  return ['sheet', 'data'].includes(kindOf(mime_type)) ? 'data' : 'documents';
}

const declared = (type: Entity['entity_type']) => ENTITY_TYPES.find(({ value }) => value === type);

export function kindOfEntity({
  entity_type,
  mimetype,
  metadata,
}: Pick<Entity, 'entity_type' | 'mimetype' | 'metadata'>): SourceKind {
  const told: Readonly<Record<string, unknown>> = { ...metadata };
  if (typeof told.episode_id === 'string') return 'memory';
  return declared(entity_type)?.tab ?? kindOfSource({ source_type: '', mime_type: mimetype });
}

/** Entities that are sources: the question, the plan and what is made of the answer are not. */
export function isSource({ entity_type, identifier }: Pick<Entity, 'entity_type' | 'identifier'>): boolean {
  return !identifier.startsWith('deliverable.') && declared(entity_type)?.isSource !== false;
}

export function countsOf(kinds: readonly SourceKind[]): Readonly<Record<Tab, number>> {
  const count = (kind: SourceKind) => kinds.filter((one) => one === kind).length;
  return {
    all: kinds.length,
    documents: count('documents'),
    web: count('web'),
    data: count('data'),
    generated: count('generated'),
    memory: count('memory'),
  };
}
