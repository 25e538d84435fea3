import { Package, Shapes } from 'lucide-react';
import { IconButton } from '@/components/Button';
import { Menu, MenuItem, MenuLine } from '@/components/Menu';
import { toast } from '@/lib/announce';
import type { Kind } from '@/lib/deliverableWire';
import { messageOf } from '@/lib/problem';
import { bundlePath, useMake } from '../api';
import { kindOf, KINDS } from '../kinds';
import { fetchFile } from './ExportMenu';
import { KindIcon } from './KindMark';

interface MakeMenuProps {
  messageId: string;
  /** Left out, only the evidence can be taken away. */
  mayMake: boolean;
}

/** Makes something of an answer that stands, or takes its evidence away. */
export function MakeMenu({ messageId, mayMake }: MakeMenuProps) {
  const make = useMake();
  const begin = (kind: Kind) =>
    make.mutate({ messageId, kind }, { onError: (error) => toast(messageOf(error), 'bad') });
  return (
    <Menu
      trigger={
        <IconButton label="Make something of this answer">
          <Shapes aria-hidden className="size-4" />
        </IconButton>
      }
    >
      {mayMake &&
        KINDS.map((kind) => (
          <MenuItem key={kind} icon={<KindIcon kind={kind} />} onSelect={() => begin(kind)}>
            {kindOf(kind).text}
          </MenuItem>
        ))}
      {mayMake && <MenuLine />}
      <MenuItem icon={<Package />} onSelect={() => fetchFile(bundlePath('messages', messageId))}>
        Evidence bundle
      </MenuItem>
    </Menu>
  );
}
