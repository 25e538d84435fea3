/** A group's own types as they are written in a form, and as the server takes them. */
import type { MemoryGroup } from '@/lib/memoryWire';

export interface NodeDraft {
  readonly key: number;
  readonly name: string;
  readonly description: string;
  /** Names, with commas between them. */
  readonly attributes: string;
}

export interface RelationDraft {
  readonly key: number;
  readonly name: string;
  readonly description: string;
  readonly functional: boolean;
  readonly sources: string;
  readonly targets: string;
}

export interface TypesDraft {
  readonly nodes: readonly NodeDraft[];
  readonly relations: readonly RelationDraft[];
  readonly excluded: string;
  readonly keepContent: boolean;
}

/** What the server is told. */
export interface Declared {
  node_types: { name: string; description: string; attributes: string[] }[];
  relation_types: { name: string; description: string; functional: boolean; sources: string[]; targets: string[] }[];
  excluded_types: string[];
  keep_content: boolean;
}

export function draftOf({ type_schema, keep_content }: MemoryGroup): TypesDraft {
  return {
    nodes: type_schema.node_types.map((type, key) => ({
      key,
      name: type.name,
      description: type.description,
      attributes: listed(type.attributes),
    })),
    relations: type_schema.relation_types.map((type, key) => ({
      key,
      name: type.name,
      description: type.description,
      functional: type.functional,
      sources: listed(type.sources),
      targets: listed(type.targets),
    })),
    excluded: listed(type_schema.excluded_types),
    keepContent: keep_content,
  };
}

/** A row without a name is one that was not filled in. */
export function declaredOf({ nodes, relations, excluded, keepContent }: TypesDraft): Declared {
  return {
    node_types: nodes
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, description, attributes }) => ({
        name: name.trim(),
        description: description.trim(),
        attributes: parts(attributes),
      })),
    relation_types: relations
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, description, functional, sources, targets }) => ({
        name: name.trim(),
        description: description.trim(),
        functional,
        sources: parts(sources),
        targets: parts(targets),
      })),
    excluded_types: parts(excluded),
    keep_content: keepContent,
  };
}

export function newNode(rows: readonly NodeDraft[]): NodeDraft {
  return { key: nextKey(rows), name: '', description: '', attributes: '' };
}

export function newRelation(rows: readonly RelationDraft[]): RelationDraft {
  return { key: nextKey(rows), name: '', description: '', functional: false, sources: '', targets: '' };
}

/** The rows with one of them changed. */
export function withRow<Row extends { readonly key: number }>(
  rows: readonly Row[],
  key: number,
  change: Partial<Row>,
): readonly Row[] {
  return rows.map((row) => (row.key === key ? { ...row, ...change } : row));
}

function nextKey(rows: readonly { readonly key: number }[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}

function parts(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  ];
}
