import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Notice } from '@/components/Notice';
import { PageHead, Section } from '@/components/Section';
import { CheckForm } from '@/features/checks/components/CheckForm';
import { CheckList } from '@/features/checks/components/CheckList';
import { foldersQuery } from '@/features/library/api';
import { useMe } from '@/lib/me';
import { mayWrite } from '@/lib/permissions';

/** Has a text from elsewhere checked against the library, and lists what was checked before. */
export function CheckPage() {
  const { role } = useMe();
  const navigate = useNavigate();
  const folders = useQuery(foldersQuery).data ?? [];
  const mayCheck = mayWrite(role);
  return (
    <div className="mx-auto max-w-4xl px-5 py-7 @2xl:px-8">
      <PageHead title="Check a text">
        A memo, a draft, an answer of another program: each statement is held against your documents, with the passages
        for and against it.
      </PageHead>
      <div className="mb-8">
        {mayCheck ? (
          <CheckForm
            folders={folders}
            onStarted={(id) => void navigate({ to: '/check/$id', params: { id }, search: {} })}
          />
        ) : (
          <Notice>Viewers read; they do not check.</Notice>
        )}
      </div>
      <Section title="Earlier checks">
        <CheckList mayChange={mayCheck} />
      </Section>
    </div>
  );
}
