import { CircleAlert, RotateCcw, X } from 'lucide-react';
import { memo } from 'react';
import { IconButton } from '@/components/Button';
import { ProgressBar } from '@/components/ProgressBar';
import { fileSize, plainName } from '@/lib/format';
import { standingOf } from '../status';
import type { Upload } from '../uploadList';
import { cancel, retry } from '../uploads';
import { StatusMark } from './StatusMark';

/** One file on its way: the bytes first, then the reading. */
export const UploadRow = memo(function UploadRow({ upload }: { upload: Upload }) {
  const { key, file, below, state, sent, document, problem } = upload;
  const name = document?.name ?? plainName(file.name);
  const path = [...below, name].join('/');
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-2 text-sm">
      <div className="flex min-h-8 items-center gap-2">
        <span className="min-w-0 flex-1" title={path}>
          <bdi className="block truncate">{name}</bdi>
          {below.length > 0 && <bdi className="block truncate text-xs text-ink-3">{below.join('/')}</bdi>}
        </span>
        <span className="shrink-0 text-xs text-ink-3 tabular-nums">
          {state === 'sending'
            ? `${fileSize(Math.min(sent, file.size))} of ${fileSize(file.size)}`
            : state === 'waiting'
              ? 'Waiting'
              : state === 'cancelled'
                ? 'Cancelled'
                : ''}
        </span>
        {document && (
          <span className="shrink-0 text-xs" title={standingOf(document).reason}>
            <StatusMark {...document} />
          </span>
        )}
        {(state === 'waiting' || state === 'sending') && (
          <IconButton label={`Cancel ${path}`} onClick={() => cancel(key)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
        {(state === 'failed' || state === 'cancelled') && (
          <IconButton label={`Try ${path} again`} onClick={() => retry(key)}>
            <RotateCcw aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
      {state === 'sending' && (
        <ProgressBar label={`Upload of ${path}`} value={file.size === 0 ? undefined : sent / file.size} />
      )}
      {state === 'failed' && <Reason text={problem ?? ''} />}
      {document && upload.isNewVersion && (
        <p className="text-xs text-ink-3">There was a file of this name: this is its version {document.version}.</p>
      )}
    </li>
  );
});

function Reason({ text }: { text: string }) {
  return (
    <p role="alert" className="flex gap-1.5 text-xs text-pretty text-bad [overflow-wrap:anywhere]">
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {text}
    </p>
  );
}
