/** What is being done with a document, in words. */
import type { Document } from '@/lib/wire';

type Progressing = Pick<Document, 'indexing_status' | 'indexing_error' | 'progress' | 'warnings'>;

export interface Standing {
  readonly tone: 'working' | 'ready' | 'failed';
  readonly text: string;
  /** How far, between 0 and 1; undefined when nobody can tell. */
  readonly share?: number;
  readonly reason?: string;
  /** What a reader should know of a file that was read. */
  readonly warning?: string;
}

export function standingOf({ indexing_status, indexing_error, progress, warnings }: Progressing): Standing {
  switch (indexing_status) {
    case 'pending':
      return { tone: 'working', text: 'Waiting' };
    case 'in_progress': {
      const total = progress.total ?? 0;
      return total > 0
        ? { tone: 'working', text: `${progress.done} of ${total}`, share: progress.done / total }
        : { tone: 'working', text: 'Reading' };
    }
    case 'completed':
      return { tone: 'ready', text: 'Ready', ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
    case 'failed':
      return { tone: 'failed', text: 'Failed', reason: indexing_error?.reason ?? 'The file could not be read.' };
    default:
      indexing_status satisfies never;
      return { tone: 'working', text: 'Waiting' };
  }
}
