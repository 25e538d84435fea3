/** What the library page shows, as the address bar keeps it and as the server takes it. */

export type Attention = 'failed' | 'working';

export interface LibrarySearch {
  /** The folder on show; none means the top. */
  readonly folder?: string;
  /** Documents that need a look, wherever they lie. */
  readonly only?: Attention;
  readonly sort?: 'recent';
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function isId(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

/** Takes from the address what makes sense and leaves the rest. */
export function readLibrarySearch(raw: Record<string, unknown>): LibrarySearch {
  return {
    ...(isId(raw.folder) && { folder: raw.folder }),
    ...((raw.only === 'failed' || raw.only === 'working') && { only: raw.only }),
    ...(raw.sort === 'recent' && { sort: raw.sort }),
  };
}

export function documentParameters({ folder, only, sort }: LibrarySearch) {
  const order = sort === 'recent' ? ('-updated_at' as const) : ('name' as const);
  if (only === 'failed') return { status: 'failed' as const, sort: order };
  if (only === 'working') return { status: 'in_progress' as const, sort: order };
  return folder === undefined ? { top: true, sort: order } : { folder_id: folder, sort: order };
}
