import { Download } from 'lucide-react';
import { Button } from '@/components/Button';
import { Menu, MenuItem } from '@/components/Menu';
import { toast } from '@/lib/announce';
import { download } from '@/lib/download';
import { messageOf } from '@/lib/problem';
import { EXPORT_FORMATS, exportPath } from '../api';

/** Takes the checked text away, with what was found on each statement. */
export function CheckDownloads({ id }: { id: string }) {
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          <Download aria-hidden className="size-4" /> Download
        </Button>
      }
    >
      {EXPORT_FORMATS.map(({ format, text, note }) => (
        <MenuItem
          key={format}
          icon={<Download />}
          onSelect={() =>
            void download(exportPath(id, format)).catch((error: unknown) => toast(messageOf(error), 'bad'))
          }
        >
          <span>
            <span className="block">{text}</span>
            <span className="block text-xs text-ink-3">{note}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
