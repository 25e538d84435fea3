import {
  Archive,
  ArchiveRestore,
  Brain,
  BrainCog,
  Download,
  Ellipsis,
  Pencil,
  Pin,
  PinOff,
  Trash2,
  Users,
  UserX,
} from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/components/Button';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { Dialog, DialogActions } from '@/components/Dialog';
import { TextField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { Badge } from '@/components/Marks';
import { Menu, MenuItem, MenuLine } from '@/components/Menu';
import { toast } from '@/lib/announce';
import type { Conversation } from '@/lib/conversationWire';
import { download } from '@/lib/download';
import { messageOf } from '@/lib/problem';
import { useTitle } from '@/lib/useTitle';
import { type Change, useChange, useDelete } from '../api';
import { sharerOf, titleOf } from '../titles';

const FORMATS = [
  { format: 'markdown', name: 'Markdown', ending: 'md' },
  { format: 'html', name: 'Web page', ending: 'html' },
  { format: 'json', name: 'JSON', ending: 'json' },
] as const;

interface ConversationHeadProps {
  conversation: Conversation;
  isMine: boolean;
  /** Its name until it has a title. */
  firstQuestion: string | undefined;
  onDeleted: () => void;
}

/** The name of a conversation and all that can be done with it as a whole. */
export function ConversationHead({ conversation, isMine, firstQuestion, onDeleted }: ConversationHeadProps) {
  const [wish, setWish] = useState<'rename' | 'delete' | null>(null);
  const change = useChange();
  const remove = useDelete();
  const title = conversation.title ?? firstQuestion ?? titleOf(conversation);
  useTitle(title);
  const put = (wanted: Change, done: string) =>
    change.mutate(
      { conversation, change: wanted },
      { onSuccess: () => toast(done), onError: (error) => toast(messageOf(error), 'bad') },
    );
  return (
    <header className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-5 @2xl:pl-8">
      <h1 className="min-w-0 flex-1 truncate font-serif text-lg font-semibold">
        <bdi title={title}>{title}</bdi>
      </h1>
      {isMine && conversation.is_archived && <Badge>Archived</Badge>}
      {isMine && !conversation.uses_memory && <Badge>Without memory</Badge>}
      {conversation.is_shared && (
        <Badge tone="accent">{isMine ? 'Shared' : `Shared by ${sharerOf(conversation)}`}</Badge>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton label="More for this conversation">
            <Ellipsis aria-hidden className="size-4.5" />
          </IconButton>
        }
      >
        {isMine && <OwnItems conversation={conversation} put={put} onRename={() => setWish('rename')} />}
        {FORMATS.map(({ format, name, ending }) => (
          <MenuItem
            key={format}
            icon={<Download aria-hidden />}
            onSelect={() => void save(conversation, format, ending)}
          >
            Export as {name}
          </MenuItem>
        ))}
        {isMine && (
          <>
            <MenuLine />
            <MenuItem icon={<Trash2 aria-hidden />} onSelect={() => setWish('delete')}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      {wish === 'rename' && (
        <RenameDialog
          title={conversation.title ?? ''}
          onClose={() => setWish(null)}
          onRename={(name) => change.mutateAsync({ conversation, change: { title: name } })}
        />
      )}
      {wish === 'delete' && (
        <ConfirmDialog
          title={`Delete “${title}”?`}
          consequence="All its questions and answers go with it, for everyone it is shared with. The documents stay."
          action="Delete"
          onClose={() => setWish(null)}
          onConfirm={async () => {
            await remove.mutateAsync(conversation.id);
            onDeleted();
          }}
        />
      )}
    </header>
  );
}

interface OwnItemsProps {
  conversation: Conversation;
  put: (change: Change, done: string) => void;
  onRename: () => void;
}

function OwnItems({ conversation, put, onRename }: OwnItemsProps) {
  const { is_pinned, is_archived, is_shared, uses_memory } = conversation;
  return (
    <>
      <MenuItem icon={<Pencil aria-hidden />} onSelect={onRename}>
        Rename…
      </MenuItem>
      <MenuItem
        icon={is_pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
        onSelect={() => put({ is_pinned: !is_pinned }, is_pinned ? 'No longer pinned.' : 'Pinned.')}
      >
        {is_pinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      <MenuItem
        icon={is_shared ? <UserX aria-hidden /> : <Users aria-hidden />}
        onSelect={() =>
          put(
            { is_shared: !is_shared },
            is_shared ? 'Only you see it now.' : 'Everyone in the workspace may read it now.',
          )
        }
      >
        {is_shared ? 'Stop sharing' : 'Share with the workspace'}
      </MenuItem>
      <MenuItem
        icon={uses_memory ? <BrainCog aria-hidden /> : <Brain aria-hidden />}
        onSelect={() =>
          put({ uses_memory: !uses_memory }, uses_memory ? 'Memory is left aside here.' : 'Memory is used here again.')
        }
      >
        {uses_memory ? 'Leave memory aside' : 'Use memory'}
      </MenuItem>
      <MenuItem
        icon={is_archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        onSelect={() => put({ is_archived: !is_archived }, is_archived ? 'Back among the conversations.' : 'Archived.')}
      >
        {is_archived ? 'Take out of the archive' : 'Archive'}
      </MenuItem>
      <MenuLine />
    </>
  );
}

async function save(conversation: Conversation, format: string, ending: string): Promise<void> {
  const name = titleOf(conversation)
    .replace(/[\\/:*?"<>|]+/g, ' ')
    .slice(0, 80)
    .trim();
  await download(`/api/v1/conversations/${conversation.id}/export?format=${format}`, `${name}.${ending}`).catch(
    (error: unknown) => toast(messageOf(error), 'bad'),
  );
}

interface RenameDialogProps {
  title: string;
  onRename: (title: string) => Promise<unknown>;
  onClose: () => void;
}

function RenameDialog({ title, onRename, onClose }: RenameDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Rename the conversation">
      <Form
        label="Rename the conversation"
        validate={({ title: name = '' }) => (name.trim() === '' ? { title: 'Give it a name.' } : {})}
        onSubmit={async ({ title: name = '' }) => {
          await onRename(name.trim());
          onClose();
        }}
      >
        <TextField name="title" label="Name" defaultValue={title} maxLength={200} autoComplete="off" data-autofocus />
        <DialogActions>
          <Submit>Rename</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
