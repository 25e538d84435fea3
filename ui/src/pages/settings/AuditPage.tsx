import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { InRightPane } from '@/components/RightPane';
import { EntryDetail } from '@/features/audit/components/EntryDetail';
import { LogView } from '@/features/audit/components/LogView';
import { useMembers } from '@/features/workspace/api';
import { useMe } from '@/lib/me';
import { setSheet, showRight } from '@/lib/panes';
import { mayAdminister } from '@/lib/permissions';
import type { AuditEntry } from '@/lib/wire';

const route = getRouteApi('/shell/settings/audit');

/** The log on the page, the chosen entry in the right pane. */
export function AuditPage() {
  const me = useMe();
  const filters = route.useSearch();
  const navigate = useNavigate();
  const { members } = useMembers();
  const [chosen, setChosen] = useState<AuditEntry | null>(null);
  const nameOf = (id: string) => members.find((member) => member.user_id === id)?.name;

  function choose(entry: AuditEntry) {
    setChosen(entry);
    showRight();
  }

  function close() {
    setChosen(null);
    setSheet(null);
  }

  return (
    <>
      <LogView
        isAdmin={mayAdminister(me.role)}
        filters={filters}
        members={members}
        nameOf={nameOf}
        selected={chosen?.seq}
        onFilter={(search) => void navigate({ to: '/settings/audit', search, replace: true })}
        onSelect={choose}
      />
      {chosen !== null && (
        <InRightPane>
          <EntryDetail entry={chosen} nameOf={nameOf} onClose={close} />
        </InRightPane>
      )}
    </>
  );
}
