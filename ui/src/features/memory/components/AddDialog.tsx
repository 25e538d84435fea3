import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { AreaField, SelectField, TextField } from '@/components/Field';
import { Form, Submit, type Values } from '@/components/Form';
import { toast } from '@/lib/announce';
import { type Saying, useAddMessage } from '../api';
import { fromField } from '../time';
import { groupName } from '../words';

interface AddDialogProps {
  group: string;
  groups: readonly string[];
  onDone: () => void;
  onAdded: (group: string) => void;
}

const MOST = 200_000;

/** Tells memory something by hand: what was said, by whom, and when. */
export function AddDialog({ group, groups, onDone, onAdded }: AddDialogProps) {
  const add = useAddMessage();
  const known = [...new Set([group, ...groups])];
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title="Add a message"
      description="What is said is read for facts, and stays as their proof."
    >
      <Form
        label="Add a message"
        validate={({ content = '', group: to = '' }) => ({
          ...(content.trim() === '' && { content: 'Say something to remember.' }),
          ...(to.trim() === '' && { group: 'Say where it belongs.' }),
        })}
        onSubmit={async (values) => {
          const saying = sayingOf(values);
          await add.mutateAsync(saying);
          toast('It will be remembered in a moment.');
          onDone();
          onAdded(saying.group);
        }}
      >
        <AreaField name="content" label="What was said" rows={4} maxLength={MOST} data-autofocus />
        <div className="grid grid-cols-2 gap-3">
          <TextField name="role" label="Who said it" placeholder="A name" maxLength={500} autoComplete="off" />
          <SelectField name="role_type" label="Speaking as" defaultValue="user">
            <option value="user">a person</option>
            <option value="assistant">the assistant</option>
            <option value="system">the system</option>
          </SelectField>
        </div>
        <div className="grid grid-cols-2 gap-3">
          <TextField name="timestamp" label="When (empty: now)" type="datetime-local" step={1} />
          <TextField
            name="group"
            label="Group"
            list="memory-groups"
            defaultValue={group}
            maxLength={128}
            autoComplete="off"
            hint={groupName(group) === group ? undefined : groupName(group)}
          />
          <datalist id="memory-groups">
            {known.map((one) => (
              <option key={one} value={one}>
                {groupName(one)}
              </option>
            ))}
          </datalist>
        </div>
        <DialogActions>
          <Button onClick={onDone}>Cancel</Button>
          <Submit>Remember</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function sayingOf({ content = '', role = '', role_type = 'user', timestamp = '', group = '' }: Values): Saying {
  const said = fromField(timestamp);
  return {
    group: group.trim(),
    name: '',
    content,
    role: role.trim(),
    role_type: role_type as Saying['role_type'],
    source_description: 'Added by hand',
    ...(said !== undefined && { timestamp: said }),
  };
}
