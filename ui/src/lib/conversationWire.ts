/** Short names for what conversations, runs and their evidence are made of. */
import type { components } from '@/generated/api';
import type { ReferencesFound } from '@/generated/events';

export type { PlanSet, RunEvent } from '@/generated/events';
export { CHECKS as CHECK_WORDS } from '@/generated/checks';
export { TOOL_LABELS } from '@/generated/tools';
export { ENTITY_TYPES } from '@/generated/variants';

type Schemas = components['schemas'];

export type Conversation = Schemas['Conversation'] & { readonly excerpt?: string };
export type Message = Schemas['Page_Message_']['items'][number];
export type ContextReference = Schemas['ContextReference-Input'];
export type Rating = NonNullable<Message['feedback']>['rating'];
export type Citation = Message['citations'][number];
export type Check = Citation['check'];
export type Decision = NonNullable<Citation['review']>['decision'];
export type CitedFile = Message['cited_files'][number];
/** Something that was found: as a run tells it, or as it is kept. */
export type Entity = ReferencesFound['references'][number] | Message['entities'][number];
