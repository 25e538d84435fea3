/** Short names for what memory is made of. */
import type { components } from '@/generated/api';

type Schemas = components['schemas'];

export type ListedGroup = Schemas['ListedGroup'];
export type MemoryGroup = Schemas['MemoryGroup'];
export type DeadLetter = Schemas['DeadLetter'];
export type Named = Schemas['Named'];
export type Proof = Schemas['Proof'];
export type Fact = Schemas['Fact'];
export type EndReason = NonNullable<Fact['end_reason']>;
export type Provenance = Schemas['Provenance'];
export type NodeHistory = Schemas['NodeHistory'];
export type Alias = Schemas['Alias'];
export type Episode = Schemas['Episode'];
export type Recollections = Schemas['Recollections'];
export type Graph = Schemas['Graph'];
export type GraphNode = Graph['nodes'][number];
export type Community = Schemas['Community'];
export type TimelineMoment = Schemas['TimelineMoment'];
export type TimelineExtent = Schemas['TimelineExtent'];
export type Forgotten = Schemas['Forgotten'];
