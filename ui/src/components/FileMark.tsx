import { clsx } from 'clsx';
import {
  Archive,
  Braces,
  File,
  FileText,
  FileType,
  Globe,
  Image,
  Mail,
  MessageSquareQuote,
  Presentation,
  Table2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type FileKind, KIND_NAMES, kindOf } from '@/lib/fileKind';
import { usePicture } from '@/lib/picture';

const ICONS: Record<FileKind, typeof File> = {
  pdf: FileText,
  document: FileText,
  text: FileType,
  sheet: Table2,
  slides: Presentation,
  web: Globe,
  mail: Mail,
  image: Image,
  data: Braces,
  archive: Archive,
  other: File,
};

interface FileMarkProps {
  mimeType: string;
  /** Where its picture is; null while there is none. */
  picture?: string | null;
  large?: boolean;
  /** It is no file: someone said it. */
  isSaid?: boolean;
}

/** A file's first page in miniature, or the icon of its kind. The kind is said in words to those who cannot see it. */
export function FileMark({ mimeType, picture = null, large = false, isSaid = false }: FileMarkProps) {
  const kind = kindOf(mimeType);
  const Icon = isSaid ? MessageSquareQuote : ICONS[kind];
  const name = isSaid ? 'Said' : KIND_NAMES[kind];
  const icon = <Icon aria-hidden className={large ? 'size-6' : 'size-3.5'} />;
  return (
    <span
      role="img"
      aria-label={name}
      title={name}
      className={clsx(
        'grid shrink-0 place-items-center overflow-hidden rounded-sm border border-line bg-bg text-ink-3',
        large ? 'h-20 w-16' : 'h-7 w-6',
      )}
    >
      {picture === null ? icon : <Miniature path={picture}>{icon}</Miniature>}
    </span>
  );
}

/** The picture once it is there; until then, or when there is none, what stands in for it. */
function Miniature({ path, children }: { path: string; children: ReactNode }) {
  const picture = usePicture(path);
  return picture.state === 'shown' ? (
    <img src={picture.src} alt="" className="size-full bg-surface object-cover object-top" />
  ) : (
    children
  );
}
