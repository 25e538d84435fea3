import { useInfiniteQuery } from '@tanstack/react-query';
import { Bot, History } from 'lucide-react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { EmptyState } from '@/components/EmptyState';
import { Loaded } from '@/components/Loaded';
import { Badge, Time } from '@/components/Marks';
import { toast } from '@/lib/announce';
import { fileSize } from '@/lib/format';
import { itemsOf } from '@/lib/pages';
import type { Document, DocumentVersion } from '@/lib/wire';
import { useRestore, versionsQuery } from '../api';
import { sentenceOf } from '../history';
import type { ReadingSearch } from '../place';

interface VersionListProps {
  document: Document;
  place: ReadingSearch;
  mayChange: boolean;
  nameOf: (userId: string) => string | undefined;
  onPlace: (place: ReadingSearch) => void;
}

/** How the document became what it is: who changed what, and when. */
export function VersionList({ document, place, mayChange, nameOf, onPlace }: VersionListProps) {
  const query = useInfiniteQuery(versionsQuery(document.id));
  const versions = itemsOf(query.data);
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <Loaded query={query} items={versions} empty={<EmptyState icon={<History />} title="No versions" />}>
        {(list) => (
          <ol aria-label="Versions" className="grid gap-2">
            {list.map((one, position) => (
              <VersionRow
                key={one.version}
                document={document}
                version={one}
                before={list[position + 1]}
                place={place}
                mayChange={mayChange}
                nameOf={nameOf}
                onPlace={onPlace}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </div>
  );
}

interface VersionRowProps extends VersionListProps {
  version: DocumentVersion;
  before: DocumentVersion | undefined;
}

function VersionRow({ document, version, before, mayChange, nameOf, onPlace }: VersionRowProps) {
  const restore = useRestore();
  const isCurrent = version.version === document.version;
  const who = version.created_by === null ? 'Intelli' : (nameOf(version.created_by) ?? 'A former member');
  return (
    <li className="grid gap-2 rounded-lg border border-line bg-surface px-3.5 py-3">
      <div className="text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          Version {version.version}
          {isCurrent && <Badge tone="accent">Current</Badge>}
          {version.edit_by === 'agent' && (
            <Badge>
              <Bot aria-hidden className="size-3" />
              Agent
            </Badge>
          )}
        </p>
        <p className="mt-0.5 text-ink-2 [overflow-wrap:anywhere]">
          <bdi>{who}</bdi> {sentenceOf(version, before)}
        </p>
        <p className="text-xs text-ink-3">
          <Time at={version.created_at} /> · {fileSize(version.file_size)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onPlace({ doc: document.id, ...(!isCurrent && { version: version.version }) })}>
          Open
        </Button>
        {before && (
          <Button
            aria-label={`Compare version ${version.version} with ${before.version}`}
            onClick={() => onPlace({ doc: document.id, view: 'compare', from: before.version, to: version.version })}
          >
            Compare with {before.version}
          </Button>
        )}
        {mayChange && !isCurrent && (
          <ConfirmDialog
            trigger={<Button aria-label={`Restore version ${version.version}`}>Restore</Button>}
            title={`Restore version ${version.version}?`}
            consequence="Its content becomes the newest version. The versions after it are kept."
            action="Restore"
            onConfirm={async () => {
              const restored = await restore.mutateAsync({ document, version: version.version });
              toast(`Version ${version.version} is the newest again, as version ${restored.version}.`);
            }}
          />
        )}
      </div>
    </li>
  );
}
