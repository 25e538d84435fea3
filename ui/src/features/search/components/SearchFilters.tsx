import { useQuery } from '@tanstack/react-query';
import { Button } from '@/components/Button';
import { FilterChoice } from '@/components/FilterField';
import { FILE_KINDS, type FileKind, KIND_NAMES, kindOf } from '@/lib/fileKind';
import type { SearchSource } from '@/lib/wire';
import { folderChoicesQuery, sourcesQuery } from '../api';
import { readSearchQuery, type SearchQuery } from '../filters';

interface SearchFiltersProps {
  search: SearchQuery;
  /** What was found, before the kind of file narrows it. */
  found: readonly SearchSource[];
  onChange: (search: SearchQuery) => void;
}

/** Where to search, and for what kind of file. */
export function SearchFilters({ search, found, onChange }: SearchFiltersProps) {
  const folders = useQuery(folderChoicesQuery).data ?? [];
  const sources = useQuery(sourcesQuery).data ?? [];
  const set = (name: keyof SearchQuery, value: string) => {
    const { [name]: _, ...others } = search;
    onChange(readSearchQuery(value === '' ? others : { ...others, [name]: value }));
  };
  const isNarrowed = search.folder !== undefined || search.kind !== undefined || search.source !== undefined;
  return (
    <div className="grid grid-cols-2 items-end gap-2.5 sm:flex sm:flex-wrap">
      <FilterChoice
        label="Folder"
        value={search.folder ?? ''}
        options={[{ value: '', text: 'All folders' }, ...folderOptions(folders, search.folder)]}
        onChange={(value) => set('folder', value)}
      />
      <FilterChoice
        label="Kind"
        value={search.kind ?? ''}
        options={[{ value: '', text: 'Any kind' }, ...kindOptions(found, search.kind)]}
        onChange={(value) => set('kind', value)}
      />
      <FilterChoice
        label="Source"
        value={search.source ?? ''}
        options={[
          { value: '', text: 'Any source' },
          ...sources.map(({ source_type, title }) => ({ value: source_type, text: title })),
        ]}
        onChange={(value) => set('source', value)}
      />
      {isNarrowed && (
        <Button look="ghost" onClick={() => onChange(search.q === undefined ? {} : { q: search.q })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** A folder that the address names is offered even when it is not among the first. */
function folderOptions(folders: readonly { readonly path: string }[], chosen: string | undefined) {
  const paths = new Set([...(chosen === undefined ? [] : [chosen]), ...folders.map(({ path }) => path)]);
  return [...paths].map((path) => ({ value: path, text: path }));
}

/** Only kinds that were found, with how many. */
function kindOptions(found: readonly SearchSource[], chosen: FileKind | undefined) {
  const number = (kind: FileKind) => found.filter(({ mime_type }) => kindOf(mime_type) === kind).length;
  return FILE_KINDS.filter((kind) => kind === chosen || number(kind) > 0).map((kind) => ({
    value: kind,
    text: `${KIND_NAMES[kind]} (${number(kind)})`,
  }));
}
