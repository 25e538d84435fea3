import { Download } from 'lucide-react';
import { Button } from '@/components/Button';
import { FileMark } from '@/components/FileMark';
import type { Deliverable } from '@/lib/deliverableWire';
import { fileSize } from '@/lib/format';
import { filePath } from '../api';
import { fetchFile } from './ExportMenu';

/** The files that a deliverable consists of. */
export function FileList({ deliverable: { id, files } }: { deliverable: Pick<Deliverable, 'id' | 'files'> }) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Files" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {files.map(({ name, media_type, size_bytes }) => (
        <li key={name} className="flex items-center gap-2.5 rounded-md border border-line px-2.5 py-1.5">
          <FileMark mimeType={media_type} />
          <bdi className="min-w-0 flex-1 truncate text-sm">{name}</bdi>
          <span className="text-xs text-ink-3 tabular-nums">{fileSize(size_bytes)}</span>
          <Button look="ghost" aria-label={`Download ${name}`} onClick={() => fetchFile(filePath(id, name), name)}>
            <Download aria-hidden className="size-4" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
