import { FileText, Folder, Library, Plus, X } from 'lucide-react';
import type { ContextReference } from '@/lib/conversationWire';

const ICONS = { file: FileText, folder: Folder, all_filesystem: Library } as const;
const PILL = 'inline-flex h-7 max-w-56 items-center gap-1.5 rounded-md text-xs coarse:h-9';

interface ContextPillsProps {
  references: readonly ContextReference[];
  /** What could be added with one press. */
  offer?: ContextReference | null;
  onAdd?: (reference: ContextReference) => void;
  /** Left out where they can only be read. */
  onRemove?: (reference: ContextReference) => void;
}

/** What a question is put to. Without any it is put to the whole library. */
export function ContextPills({ references, offer = null, onAdd, onRemove }: ContextPillsProps) {
  return (
    <>
      {references.map((reference) => {
        const Icon = ICONS[reference.reference_type];
        return (
          <span
            key={`${reference.document_id} ${reference.folder_path}`}
            className={`${PILL} bg-accent-soft pl-2 text-accent ${onRemove ? '' : 'pr-2'}`}
          >
            <Icon aria-hidden className="size-3.5 shrink-0" />
            <bdi className="truncate">{reference.display_label}</bdi>
            {onRemove && (
              <button
                type="button"
                aria-label={`Take ${reference.display_label} out of focus`}
                onClick={() => onRemove(reference)}
                className="grid h-full w-6 shrink-0 place-items-center rounded-r-md hover:bg-hover coarse:w-9"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            )}
          </span>
        );
      })}
      {offer !== null && (
        <button
          type="button"
          onClick={() => onAdd?.(offer)}
          className={`${PILL} border border-dashed border-line-strong px-2 text-ink-2 hover:border-ink-2 hover:text-ink`}
        >
          <Plus aria-hidden className="size-3.5 shrink-0" />
          <span className="truncate">
            Only <bdi>{offer.display_label}</bdi>
          </span>
        </button>
      )}
    </>
  );
}
