import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/Notice';
import type { Citation } from '@/lib/conversationWire';
import { evidenceQuery } from '../api';
import type { Marks } from '../marks';

interface FindingsProps {
  messageId: string;
  marks: Marks;
  onOpen: (citation: Citation) => void;
}

/** What an honest answer adds: where its sources contradict each other, and what they do not say. */
export function Findings({ messageId, marks, onOpen }: FindingsProps) {
  const evidence = useQuery(evidenceQuery(messageId)).data;
  if (!evidence || (evidence.disagreements.length === 0 && evidence.not_found.length === 0)) return null;
  const markOf = (id: string) => marks.find((mark) => mark?.citation?.id === id);
  return (
    <div className="mt-4 grid gap-2">
      {evidence.disagreements.map(({ about, readings }) => (
        <Notice key={about} tone="warn" title={`The sources disagree on ${about}.`}>
          <ul className="grid gap-0.5">
            {readings.map(({ value, identifier, citation_ids: [first = ''] }) => {
              const mark = markOf(first);
              return (
                <li key={`${identifier} ${value}`} className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium">{value}</span>
                  {mark?.citation && (
                    <button
                      type="button"
                      className="text-accent underline underline-offset-2"
                      onClick={() => mark.citation && onOpen(mark.citation)}
                    >
                      <bdi>{mark.name}</bdi>
                    </button>
                  )}
                </li>
              );
            })}
          </ul>
        </Notice>
      ))}
      {evidence.not_found.length > 0 && (
        <Notice title="Searched for and not found">
          <ul className="list-disc pl-4">
            {evidence.not_found.map((query) => (
              <li key={query}>{query}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
