import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Button } from '@/components/Button';
import { PageHead } from '@/components/Section';
import { CreateKeyDialog } from '@/features/keys/components/CreateKeyDialog';
import { KeyList } from '@/features/keys/components/KeyList';
import { useMe } from '@/lib/me';
import { scopesOf } from '@/lib/permissions';

const route = getRouteApi('/shell/settings/keys');

export function KeysPage() {
  const { role } = useMe();
  const { create } = route.useSearch();
  const navigate = useNavigate();
  const setCreating = (open: boolean) =>
    void navigate({ to: '/settings/keys', search: open ? { create: true } : {}, replace: true });
  const newKey = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      New key
    </Button>
  );
  return (
    <>
      <PageHead title="API keys" action={newKey}>
        For programs that use Intelli as you, in this workspace. Send a key as the header{' '}
        <code className="font-mono text-sm">X-API-Key</code>; the{' '}
        <a href="/api/docs" className="text-accent underline underline-offset-2">
          manual
        </a>{' '}
        has the rest.
      </PageHead>
      <KeyList create={newKey} />
      <CreateKeyDialog open={create === true} onOpenChange={setCreating} offered={scopesOf(role)} />
    </>
  );
}
