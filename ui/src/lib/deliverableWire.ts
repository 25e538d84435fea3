/** Short names for what deliverables are made of. */
import type { components } from '@/generated/api';
import type { Message } from './conversationWire';

export { CHOICES, DELIVERABLE_KINDS, EXPORT_FORMS } from '@/generated/variants';

type Schemas = components['schemas'];

export type Deliverable = Schemas['Page_Deliverable_']['items'][number];
export type Kind = Deliverable['kind'];
export type Status = Deliverable['status'];
export type Content = Schemas['Content'];
export type Export = Schemas['Export'];
export type Edition = Export['edition'];
export type FormatName = Schemas['NewExport']['format'];
export type Comparison = Schemas['Comparison'];
/** What a question may ask for: an answer alone, or something made of it. */
export type Wanted = NonNullable<Message['deliverable_type']>;

export function isOver({ status }: { readonly status: Status }): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
