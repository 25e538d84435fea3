import { ChevronDown, FileUp, FolderPlus, FolderUp, Globe, Plus } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Button } from '@/components/Button';
import { Menu, MenuItem, MenuLine } from '@/components/Menu';
import { type Command, useCommands } from '@/lib/commands';
import { chosen } from '@/lib/dropped';
import type { Folder } from '@/lib/wire';
import type { Wish } from '../entries';
import { upload } from '../uploads';

interface AddMenuProps {
  here: Folder | null;
  onWish: (wish: Wish) => void;
}

/** Everything that brings something into the library. */
export function AddMenu({ here, onWish }: AddMenuProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'add-files',
        title: 'Add files',
        group: 'Do',
        keys: 'u',
        words: 'upload library',
        run: () => files.current?.click(),
      },
      {
        id: 'add-page',
        title: 'Add a web page',
        group: 'Do',
        words: 'import url library',
        run: () => onWish({ do: 'import' }),
      },
      { id: 'new-folder', title: 'New folder', group: 'Do', words: 'library', run: () => onWish({ do: 'create' }) },
    ],
    [onWish],
  );
  useCommands(commands);
  const take = (input: HTMLInputElement) => {
    upload(chosen(input.files ?? []), here);
    input.value = '';
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files to add"
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label="Folder to add"
        {...{ webkitdirectory: '' }}
        onChange={(event) => take(event.currentTarget)}
      />
      <Menu
        align="end"
        trigger={
          <Button look="primary">
            <Plus aria-hidden className="size-4" />
            Add
            <ChevronDown aria-hidden className="size-3.5" />
          </Button>
        }
      >
        <MenuItem icon={<FileUp aria-hidden />} onSelect={() => files.current?.click()}>
          Files…
        </MenuItem>
        <MenuItem icon={<FolderUp aria-hidden />} onSelect={() => folder.current?.click()}>
          A folder with all that is in it…
        </MenuItem>
        <MenuItem icon={<Globe aria-hidden />} onSelect={() => onWish({ do: 'import' })}>
          A web page…
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<FolderPlus aria-hidden />} onSelect={() => onWish({ do: 'create' })}>
          New folder…
        </MenuItem>
      </Menu>
    </>
  );
}
