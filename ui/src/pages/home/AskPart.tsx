import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { BookOpenCheck, FileUp, MessageCircleQuestion } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Section } from '@/components/Section';
import { useBegin } from '@/features/conversation/api';
import { Composer } from '@/features/conversation/components/Composer';
import { fileReference, folderReference } from '@/features/conversation/references';
import { useWanted } from '@/features/deliverables/choice';
import { DeliverableSelector } from '@/features/deliverables/components/DeliverableSelector';
import { statusQuery } from '@/features/library/api';
import { FirstFiles } from '@/features/library/components/FirstFiles';
import { FirstQuestions } from '@/features/library/components/FirstQuestions';
import { RecentDocuments } from '@/features/library/components/RecentDocuments';
import { useLiveLibrary } from '@/features/library/live';
import { groupsQuery } from '@/features/memory/api';
import { SearchField } from '@/features/search/components/SearchField';
import { toast } from '@/lib/announce';
import type { ContextReference } from '@/lib/conversationWire';
import { documentQuery } from '@/lib/documents';
import { count } from '@/lib/format';
import { messageOf } from '@/lib/problem';
import type { LibraryStatus } from '@/lib/wire';

const route = getRouteApi('/shell/');

/** The main job at the top of the page: bring files, ask, read an answer that can be checked. */
export function AskPart({ mayAsk }: { mayAsk: boolean }) {
  useLiveLibrary();
  const status = useQuery(statusQuery).data;
  const navigate = useNavigate();
  const isEmpty = status?.documents === 0 && mayAsk;
  const groups = useQuery({ ...groupsQuery, enabled: isEmpty }).data ?? [];
  if (!status) return null;
  if (isEmpty) {
    return (
      <>
        {groups.some(({ episodes }) => episodes > 0) && <Ask status={status} />}
        <Welcome />
      </>
    );
  }
  return (
    <>
      {mayAsk && <Ask status={status} />}
      <div className="mb-7 border-b border-line">
        <Section
          title="Library"
          description={`${count(status.documents, 'document')}, ${count(status.chunks, 'passage')} to find`}
          action={
            <Link to="/library" className="text-sm font-medium text-accent hover:underline">
              All documents
            </Link>
          }
        >
          <div className="mb-4 max-w-2xl">
            <SearchField value="" onSearch={(q) => q !== '' && void navigate({ to: '/search', search: { q } })} />
          </div>
          <RecentDocuments onOpen={({ id }) => void navigate({ to: '/library', search: { doc: id } })} />
        </Section>
      </div>
    </>
  );
}

/** A library or a memory that holds something is asked. */
function Ask({ status }: { status: LibraryStatus }) {
  const navigate = useNavigate();
  const begin = useBegin();
  const focus = useFocus();
  const [wanted, setWanted] = useWanted();
  const reading = status.pending + status.in_progress;
  async function ask(content: string, references: readonly ContextReference[]) {
    const id = await begin.mutateAsync({ content, references, wanted });
    await navigate({ to: '/c/$id', params: { id } });
  }
  return (
    <section aria-label="Ask" className="mb-9">
      {focus !== null && (
        <Composer key={focus.map(({ display_label }) => display_label).join()} place="new" focus={focus} onSend={ask}>
          <DeliverableSelector value={wanted} onChange={setWanted} />
        </Composer>
      )}
      <div className="mt-2 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
        {reading > 0 && (
          <p role="status">
            {count(reading, 'file is', 'files are')} being read.{' '}
            {status.completed === 0 ? 'Ask as soon as the first is ready.' : 'What is ready can be asked already.'}
          </p>
        )}
      </div>
      {status.completed > 0 && (
        <FirstQuestions
          isBusy={begin.isPending}
          onAsk={(question) => void ask(question, []).catch((error: unknown) => toast(messageOf(error), 'bad'))}
        />
      )}
    </section>
  );
}

const NOTHING: readonly ContextReference[] = [];

/** What the address puts in focus; null until it is known. */
function useFocus(): readonly ContextReference[] | null {
  const { file, folder } = route.useSearch();
  const query = useQuery({ ...documentQuery(file ?? ''), enabled: file !== undefined });
  const { data: document, isError } = query;
  return useMemo(() => {
    if (folder !== undefined) return [folderReference({ path: folder, name: folder.split('/').at(-1) ?? folder })];
    if (file === undefined || isError) return NOTHING;
    return document ? [fileReference(document)] : null;
  }, [file, folder, document, isError]);
}

const STEPS: readonly { readonly icon: ReactNode; readonly title: string; readonly text: string }[] = [
  { icon: <FileUp />, title: 'Add files', text: 'Each is read once, here on this server.' },
  { icon: <MessageCircleQuestion />, title: 'Ask', text: 'In your own words, about all of them or some.' },
  { icon: <BookOpenCheck />, title: 'Check', text: 'Every sentence leads to the passage it rests on.' },
];

/** The first minutes: three steps, and the first of them ready to take. */
function Welcome() {
  return (
    <div className="mb-9 grid gap-5">
      <ol className="grid gap-4 @2xl:grid-cols-3">
        {STEPS.map(({ icon, title, text }, position) => (
          <li key={title} className="flex items-start gap-3">
            <span
              aria-hidden
              className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-accent [&>svg]:size-4.5"
            >
              {icon}
            </span>
            <span>
              <span className="block font-medium">
                {position + 1}. {title}
              </span>
              <span className="block text-sm text-pretty text-ink-2">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      <FirstFiles onAdded={() => undefined} />
    </div>
  );
}
