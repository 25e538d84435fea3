/** Messages for tests. */
import type { Message } from '@/lib/conversationWire';

const BLANK: Message = {
  id: 'm',
  conversation_id: 'c',
  parent_message_id: null,
  role: 'user',
  content: '',
  run_id: null,
  run_status: null,
  reasoner: null,
  referenced_files: [],
  confidence_score: null,
  confidence: null,
  input_tokens: 0,
  output_tokens: 0,
  cost_cents: 0,
  deliverable_type: null,
  needs_clarification_message: null,
  context_references: [],
  follow_ups: [],
  problems: [],
  citations: [],
  cited_files: [],
  entities: [],
  feedback: null,
  has_async_entities_in_progress: false,
  created_at: '2026-11-16T08:00:00Z',
};

export function messageOf(fields: Partial<Message>): Message {
  return { ...BLANK, ...fields };
}
