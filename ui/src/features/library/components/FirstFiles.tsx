import { useState } from 'react';
import type { Wish } from '../entries';
import { DropArea } from './DropArea';
import { Invitation } from './Invitation';
import { ActionDialogs } from './ActionDialogs';

/** The invitation with all it needs around it, for pages that are not the library. */
export function FirstFiles({ onAdded }: { onAdded: () => void }) {
  const [wish, setWish] = useState<Wish | null>(null);
  return (
    <DropArea folder={null} enabled onDropped={onAdded}>
      <Invitation onWish={setWish} onAdded={onAdded} />
      <ActionDialogs wish={wish} folders={[]} here={null} onDone={() => setWish(null)} />
    </DropArea>
  );
}
