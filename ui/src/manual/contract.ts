/** The part of OpenAPI that the manual reads, and how it becomes rows that a person can read. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

interface Body {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly security?: readonly unknown[];
}

export interface Contract {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export interface Field {
  readonly name: string;
  readonly kind: string;
  readonly required: boolean;
  readonly text: string;
}

/** The operations by their first tag, in the order of the contract. */
export function chaptersOf(contract: Contract): ReadonlyMap<string, readonly Entry[]> {
  const entries = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const chapters = new Map<string, Entry[]>();
  for (const entry of entries) {
    const tag = entry.operation.tags?.[0] ?? 'other';
    chapters.set(tag, [...(chapters.get(tag) ?? []), entry]);
  }
  return chapters;
}

export function resolve(contract: Contract, schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : contract.components.schemas[name];
}

export function fieldsOf(contract: Contract, schema: Schema | undefined): readonly Field[] {
  const resolved = resolve(contract, schema);
  return Object.entries(resolved?.properties ?? {}).map(([name, property]) => ({
    name,
    kind: kindOf(contract, property),
    required: resolved?.required?.includes(name) ?? false,
    text: property.description ?? '',
  }));
}

/** A type in a few words: `string (uuid) or null`, `list of Member`, `"admin" | "member"`. */
export function kindOf(contract: Contract, schema: Schema | undefined): string {
  if (schema === undefined) return 'anything';
  if (schema.$ref !== undefined) {
    const target = resolve(contract, schema);
    return target?.enum ? kindOf(contract, target) : nameOf(schema.$ref);
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => kindOf(contract, one)).join(' or ');
  if (schema.type === 'array') return `list of ${kindOf(contract, schema.items)}`;
  return schema.format === undefined ? (schema.type ?? 'anything') : `${schema.type} (${schema.format})`;
}

/** `Page_Member_` is how a contract must spell a page of members. */
function nameOf(ref: string): string {
  const name = ref.split('/').at(-1) ?? ref;
  return name.replace(/^Page_(.+)_$/, 'page of $1');
}

export function bodySchemaOf(body: Body | undefined): Schema | undefined {
  return Object.values(body?.content ?? {})[0]?.schema;
}
