import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { PasswordField } from '@/components/Field';
import { Form, Submit } from '@/components/Form';
import { toast } from '@/lib/announce';
import type { Endpoint } from '@/lib/modelWire';
import { messageOf } from '@/lib/problem';
import { useChangeKey } from '../api';
import { PROVIDERS } from '../describe';
import { atField } from '../draft';

interface ChangeKeyDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Another key for an endpoint. One that is refused is not kept. */
export function ChangeKeyDialog({ endpoint: { id, version, provider, key_hint }, onClose }: ChangeKeyDialogProps) {
  const change = useChangeKey();
  const title = PROVIDERS[provider];

  async function save(key: string | null) {
    await change.mutateAsync({ id, version, key });
    toast(key === null ? `The key of ${title} is removed.` : `${title} has another key.`);
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Key of ${title}`}
      description={key_hint === null ? 'No key is kept for it.' : `The key that ends in ${key_hint} is kept for it.`}
    >
      <Form
        label="Change the key"
        validate={({ api_key = '' }): Record<string, string> =>
          api_key.trim() === '' ? { api_key: 'Paste the new key.' } : {}
        }
        onSubmit={async ({ api_key = '' }) => {
          try {
            await save(api_key.trim());
          } catch (error) {
            throw atField(error, 'api_key');
          }
        }}
      >
        <PasswordField
          name="api_key"
          label="New key"
          hint="Kept encrypted, and never shown again in full."
          autoComplete="off"
          spellCheck={false}
        />
        <DialogActions>
          {key_hint !== null && (
            <Button
              look="danger"
              onClick={() => void save(null).catch((error: unknown) => toast(messageOf(error), 'bad'))}
            >
              Remove the key
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Submit>Save key</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
