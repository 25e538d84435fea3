/** Deciding on citations, and what an answer rests on. */
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/lib/http';
import type { Decision, Entity } from '@/lib/conversationWire';

const MOST_FOUND = 100;

/** What was found, used and left aside for an answer. */
export function evidenceQuery(messageId: string) {
  return queryOptions({
    queryKey: ['evidence', messageId],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/messages/{message_id}/evidence', { params: { path: { message_id: messageId } }, signal }),
      ),
    staleTime: 60_000,
  });
}

/** What was found for an answer, cited or not. */
export function foundQuery(messageId: string) {
  return queryOptions({
    queryKey: ['found', messageId],
    queryFn: async ({ signal }) =>
      (
        await answer(
          api.GET('/api/v1/messages/{message_id}/entities', {
            params: { path: { message_id: messageId }, query: { limit: MOST_FOUND } },
            signal,
          }),
        )
      ).items as readonly Entity[],
    staleTime: 60_000,
  });
}

/** Each figure of an answer, with the place it was read from. */
export function figuresQuery(messageId: string) {
  return queryOptions({
    queryKey: ['figures', messageId],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/messages/{message_id}/figures', { params: { path: { message_id: messageId } }, signal })),
    staleTime: 60_000,
  });
}

/** Each statement of an answer, with the verdict on it. */
export function statementsQuery(messageId: string) {
  return queryOptions({
    queryKey: ['statements', messageId],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/messages/{message_id}/statements', { params: { path: { message_id: messageId } }, signal }),
      ),
    staleTime: 60_000,
  });
}

/** Null asks for none: a text that is being written has not been checked. */
export function useStatements(messageId: string | null) {
  return useQuery({ ...statementsQuery(messageId ?? ''), enabled: messageId !== null });
}

export interface ReviewWish {
  readonly citationId: string;
  /** Null takes the decision back. */
  readonly decision: Decision | null;
  readonly note: string;
}

export function useReview() {
  return useMutation({
    mutationFn: ({ citationId, decision, note }: ReviewWish) =>
      answer(
        api.PUT('/api/v1/citations/{citation_id}/review', {
          params: { path: { citation_id: citationId } },
          body: { decision, note },
        }),
      ),
  });
}
