/** The reading pane beside a page: what is open stands in the page's own address. */
import { useEffect } from 'react';
import { InRightPane } from '@/components/RightPane';
import { ReadingPane } from '@/features/reading/components/ReadingPane';
import { type ReadingSearch, readReadingSearch } from '@/features/reading/place';
import { useMembers } from '@/features/workspace/api';
import { useMe } from '@/lib/me';
import { setSheet, setWide, showRight } from '@/lib/panes';
import { mayWrite } from '@/lib/permissions';

interface ReadingBesideProps {
  search: ReadingSearch;
  /** Puts another place, or none, into the address. */
  onPlace: (place: ReadingSearch) => void;
}

export function ReadingBeside({ search, onPlace }: ReadingBesideProps) {
  const place = readReadingSearch({ ...search });
  const { role } = useMe();
  const { members } = useMembers();
  const isOpen = place.doc !== undefined;

  useEffect(() => {
    if (!isOpen) return undefined;
    setWide(true);
    // Who follows a link to a passage must see it, also where the pane was closed.
    showRight();
    return () => setWide(false);
  }, [isOpen]);

  if (place.doc === undefined) return null;
  return (
    <InRightPane>
      <ReadingPane
        id={place.doc}
        place={place}
        mayChange={mayWrite(role)}
        nameOf={(id) => members.find((member) => member.user_id === id)?.name}
        onPlace={onPlace}
        onClose={() => {
          onPlace({});
          setSheet(null);
        }}
      />
    </InRightPane>
  );
}
