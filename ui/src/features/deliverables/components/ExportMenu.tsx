import { useQuery } from '@tanstack/react-query';
import { Check, Download, LoaderCircle, Package } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/Button';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '@/components/Menu';
import { ProgressBar } from '@/components/ProgressBar';
import { toast } from '@/lib/announce';
import { type Deliverable, type Edition, type Export, type FormatName, isOver } from '@/lib/deliverableWire';
import { download } from '@/lib/download';
import { messageOf } from '@/lib/problem';
import { bundlePath, exportsQuery, filePath, useExport } from '../api';
import { type Format, FORMATS } from '../kinds';

const EDITIONS = [
  { value: 'clean', text: 'Clean', note: 'For readers: source, page and quote in notes' },
  { value: 'proof', text: 'Proof', note: 'For who checks: with verdicts, identifiers and hashes' },
] as const;

/** Takes a deliverable away in any form and edition. Each is made once; it comes down as soon as it is there. */
export function ExportMenu({ deliverable: { id } }: { deliverable: Pick<Deliverable, 'id'> }) {
  const [isOpened, setOpened] = useState(false);
  const [edition, setEdition] = useState<Edition>('clean');
  const begin = useExport(id);
  const waiting = begin.isPending ? begin.variables.format : null;
  const all = useQuery({ ...exportsQuery(id), enabled: isOpened || waiting !== null }).data ?? [];
  const exports = all.filter((one) => one.edition === edition);
  const awaited = exports.find(({ format }) => format === waiting);

  function choose(format: FormatName) {
    const made = exports.find((one) => one.format === format && one.status === 'completed');
    if (made) fetchExport(id, made);
    else
      begin.mutate(
        { format, edition },
        {
          onSuccess: (come) => fetchExport(id, come),
          onError: (error) => toast(messageOf(error), 'bad'),
        },
      );
  }

  const item = (format: Format) => (
    <Item
      key={format.format}
      format={format}
      made={exports.find((one) => one.format === format.format)}
      onChoose={choose}
    />
  );
  const name = FORMATS.find(({ format }) => format === waiting)?.text;
  return (
    <div className="relative flex flex-col items-end">
      <Menu
        align="end"
        trigger={
          <Button busy={waiting !== null} onPointerEnter={() => setOpened(true)} onFocus={() => setOpened(true)}>
            {waiting === null && <Download aria-hidden className="size-4" />} Export
          </Button>
        }
      >
        <MenuChoice label="Edition" options={EDITIONS} value={edition} onChange={setEdition} staysOpen />
        <MenuLine />
        {FORMATS.filter(({ isForPrograms }) => !isForPrograms).map(item)}
        <MenuLine />
        <MenuLabel>For programs</MenuLabel>
        {FORMATS.filter(({ isForPrograms }) => isForPrograms).map(item)}
        <MenuItem icon={<Package />} onSelect={() => fetchFile(bundlePath('deliverables', id))}>
          <span>
            <span className="block">Evidence bundle</span>
            <span className="block text-xs text-ink-3">With every source; checked offline by “intelli verify”</span>
          </span>
        </MenuItem>
      </Menu>
      {name !== undefined && (
        <div
          role="status"
          className="absolute top-full right-0 z-10 mt-1 w-44 rounded-md bg-surface p-2 text-xs text-ink-2 shadow-float"
        >
          <p className="mb-1.5">Making the {name} file…</p>
          <ProgressBar label={`Progress of ${name}`} value={awaited?.progress} />
        </div>
      )}
    </div>
  );
}

function Item({
  format: { format, text, note },
  made,
  onChoose,
}: {
  format: Format;
  made: Export | undefined;
  onChoose: (format: FormatName) => void;
}) {
  const icon = made === undefined ? <Download /> : isOver(made) ? <Check /> : <LoaderCircle className="animate-spin" />;
  return (
    <MenuItem icon={icon} onSelect={() => onChoose(format)}>
      <span>
        <span className="block">{text}</span>
        <span className="block text-xs text-ink-3">{made?.status === 'completed' ? `${note} · made` : note}</span>
      </span>
    </MenuItem>
  );
}

function fetchExport(id: string, { file, error }: Export): void {
  if (file === null) toast(error ?? 'It could not be made. Ask for it again.', 'bad');
  else fetchFile(filePath(id, file.name), file.name);
}

export function fetchFile(path: string, name?: string): void {
  download(path, name).catch((error: unknown) => toast(messageOf(error), 'bad'));
}
