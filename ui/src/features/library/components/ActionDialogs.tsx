import { useState } from 'react';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { Dialog, DialogActions } from '@/components/Dialog';
import { TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { toast } from '@/lib/announce';
import { useMe } from '@/lib/me';
import type { Folder } from '@/lib/wire';
import { useCreateFolder, useImport } from '../api';
import { useDelete, useMove, useRename } from '../change';
import { type Entry, idOf, nameOf, summaryOf, type Wish } from '../entries';
import { mayHold, TOP } from '../folders';
import { FolderTree } from './FolderTree';

interface ActionDialogsProps {
  wish: Wish | null;
  folders: readonly Folder[];
  /** The folder on show, where new things go; null is the top. */
  here: Folder | null;
  onDone: () => void;
}

/** The dialog for what was wished, if anything was. */
export function ActionDialogs({ wish, folders, here, onDone }: ActionDialogsProps) {
  switch (wish?.do) {
    case undefined:
      return null;
    case 'create':
      return <NewFolderDialog here={here} onDone={onDone} />;
    case 'import':
      return <ImportDialog here={here} onDone={onDone} />;
    case 'rename':
      return <RenameDialog entry={wish.entry} onDone={onDone} />;
    case 'move':
      return <MoveDialog entries={wish.entries} folders={folders} here={here} onDone={onDone} />;
    case 'delete':
      return <DeleteDialog entries={wish.entries} onDone={onDone} />;
    default:
      wish satisfies never;
      return null;
  }
}

const required =
  (message: string) =>
  ({ name = '' }) =>
    name.trim() === '' ? { name: message } : {};

function NewFolderDialog({ here, onDone }: { here: Folder | null; onDone: () => void }) {
  const create = useCreateFolder();
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title="New folder"
      description={
        here === null ? undefined : (
          <>
            In “<bdi>{here.name}</bdi>”
          </>
        )
      }
    >
      <Form
        label="New folder"
        validate={required('Give the folder a name.')}
        onSubmit={async ({ name = '' }) => {
          await create.mutateAsync({ name: name.trim(), parent_folder_id: here?.id ?? null });
          toast(`The folder “${name.trim()}” is there.`);
          onDone();
        }}
      >
        <TextField name="name" label="Name" maxLength={255} autoComplete="off" data-autofocus />
        <Actions action="Create folder" onCancel={onDone} />
      </Form>
    </Dialog>
  );
}

function RenameDialog({ entry, onDone }: { entry: Entry; onDone: () => void }) {
  const rename = useRename();
  return (
    <Dialog open onOpenChange={onDone} title={`Rename ${entry.type === 'folder' ? 'folder' : 'file'}`}>
      <Form
        label="Rename"
        validate={required('Enter a name.')}
        onSubmit={async ({ name = '' }) => {
          await rename(entry, name.trim());
          onDone();
        }}
      >
        <TextField
          name="name"
          label="Name"
          defaultValue={nameOf(entry)}
          maxLength={255}
          autoComplete="off"
          data-autofocus
          onFocus={selectStem}
        />
        <Actions action="Rename" onCancel={onDone} />
      </Form>
    </Dialog>
  );
}

/** The part before the ending is what people change. */
function selectStem({ currentTarget: field }: { currentTarget: HTMLInputElement }): void {
  const dot = field.value.lastIndexOf('.');
  field.setSelectionRange(0, dot > 0 ? dot : field.value.length);
}

function ImportDialog({ here, onDone }: { here: Folder | null; onDone: () => void }) {
  const bring = useImport();
  const place = here === null ? 'the library' : `“${here.name}”`;
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title="Add a web page"
      description={`It is fetched once and kept as it is now, in ${place}.`}
    >
      <Form
        label="Add a web page"
        validate={({ reference = '' }) =>
          /^https?:\/\/\S+$/i.test(reference.trim())
            ? {}
            : { reference: 'Enter an address that begins with http:// or https://.' }
        }
        onSubmit={async ({ reference = '' }) => {
          const document = await bring.mutateAsync({
            source: 'web',
            reference: reference.trim(),
            folder: here?.id ?? null,
          });
          toast(`“${document.name}” is added.`);
          onDone();
        }}
      >
        <TextField
          name="reference"
          label="Address"
          type="url"
          inputMode="url"
          placeholder="https://example.org/report.html"
          autoComplete="off"
          data-autofocus
        />
        <Actions action="Add page" onCancel={onDone} />
      </Form>
    </Dialog>
  );
}

interface MoveDialogProps {
  entries: readonly Entry[];
  folders: readonly Folder[];
  here: Folder | null;
  onDone: () => void;
}

function MoveDialog({ entries, folders, here, onDone }: MoveDialogProps) {
  const move = useMove();
  const [target, setTarget] = useState(here?.id ?? TOP);
  const moved = new Set(entries.map(idOf));
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title={
        <>
          Move <bdi>{summaryOf(entries)}</bdi>
        </>
      }
      description="Choose the folder it goes to."
    >
      <Form
        label="Move"
        validate={() => ({})}
        onSubmit={async () => {
          await move(entries, target);
          toast(`${summaryOf(entries)} moved.`);
          onDone();
        }}
      >
        <div className="max-h-[40vh] overflow-y-auto rounded-md border border-line p-1.5">
          <FolderTree
            label="Folders to move to"
            folders={folders.filter(({ id }) => mayHold(folders, id, moved))}
            selected={target}
            onSelect={setTarget}
          />
        </div>
        <Actions action="Move here" onCancel={onDone} />
      </Form>
    </Dialog>
  );
}

function DeleteDialog({ entries, onDone }: { entries: readonly Entry[]; onDone: () => void }) {
  const remove = useDelete();
  const { keeps_evidence: isKept } = useMe().workspace;
  const hasFolder = entries.some(({ type }) => type === 'folder');
  return (
    <ConfirmDialog
      onClose={onDone}
      title={
        <>
          Delete <bdi>{summaryOf(entries)}</bdi>?
        </>
      }
      consequence={
        <>
          {hasFolder
            ? 'Everything inside goes too, with all versions. This cannot be undone. '
            : 'All versions go with it, and searches no longer find it. This cannot be undone. '}
          {isKept
            ? 'What answers cite of it is kept, so that they can still be checked.'
            : 'What answers cite of it is removed as well: this workspace keeps no evidence of deleted files.'}
        </>
      }
      action="Delete"
      onConfirm={async () => {
        await remove(entries);
        toast(`${summaryOf(entries)} deleted.`);
      }}
    />
  );
}

function Actions({ action, onCancel }: { action: string; onCancel: () => void }) {
  return (
    <DialogActions>
      <Button onClick={onCancel}>Cancel</Button>
      <Submit>{action}</Submit>
    </DialogActions>
  );
}
