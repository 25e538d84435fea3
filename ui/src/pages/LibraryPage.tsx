import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { LibraryView } from '@/features/library/components/LibraryView';
import { readLibrarySearch } from '@/features/library/filters';
import { type ReadingSearch, withoutReading } from '@/features/reading/place';
import { SearchField } from '@/features/search/components/SearchField';
import { useMe } from '@/lib/me';
import { showRight } from '@/lib/panes';
import { mayWrite } from '@/lib/permissions';
import { ReadingBeside } from './reading';

const route = getRouteApi('/shell/library');

/** The library on the page, the chosen document in the right pane. */
export function LibraryPage() {
  const { role } = useMe();
  const search = route.useSearch();
  const navigate = useNavigate();

  const place = (reading: ReadingSearch, replace = false) => {
    void navigate({ to: '/library', search: { ...withoutReading(search), ...reading }, replace });
  };
  const open = (reading: ReadingSearch) => {
    place(reading);
    showRight();
  };

  return (
    <>
      <LibraryView
        search={readLibrarySearch({ ...search })}
        opened={search.doc}
        mayChange={mayWrite(role)}
        searchField={
          <SearchField value="" onSearch={(q) => q !== '' && void navigate({ to: '/search', search: { q } })} />
        }
        onSearch={(next) =>
          void navigate({ to: '/library', search: { ...next, ...(search.doc !== undefined && { doc: search.doc }) } })
        }
        onOpen={({ id }) => open({ doc: id })}
        onVersions={({ id }) => open({ doc: id, view: 'versions' })}
      />
      <ReadingBeside search={search} onPlace={place} />
    </>
  );
}
