/** Short names for the generated wire types. */
import type { components } from '@/generated/api';

/** The same type without `readonly`, all the way down. */
export type Writable<Type> = Type extends readonly (infer Item)[]
  ? Writable<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Writable<Type[Key]> }
    : Type;

type Schemas = components['schemas'];

export type Installation = Schemas['Installation'];
export type Tokens = Schemas['Tokens'];
export type Me = Schemas['Me'];
export type User = Schemas['User'];
export type Session = Schemas['Session'];
export type Workspace = Schemas['Workspace'];
export type Belonging = Schemas['Belonging'];
export type Member = Schemas['Member'];
export type Role = Me['role'];
export type Scope = Schemas['Scope'];
export type Invitation = Schemas['Invitation'];
export type CreatedInvitation = Schemas['CreatedInvitation'];
export type CreateInvitation = Writable<Schemas['CreateInvitation']>;
export type InvitationPreview = Schemas['InvitationPreview'];
export type ApiKey = Schemas['ApiKey'];
export type CreateApiKey = Writable<Schemas['CreateApiKey']>;
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type AuditEntry = Schemas['AuditEntry'];
export type EventType = Schemas['EventType'];
export type ExportFormat = Schemas['ExportFormat'];
export type ChainReport = Schemas['ChainReport'];

export type Folder = Schemas['Folder'];
export type Document = Schemas['Page_Document_']['items'][number];
export type DocumentVersion = Schemas['DocumentVersion'];
export type IndexBuild = Schemas['IndexBuild'];
export type LibraryStatus = Schemas['LibraryStatus'];
export type Place = Schemas['Place'];
export type ReadingBlock = Schemas['ReadingBlock'];
export type ReadingPage = Schemas['ReadingPage'];
export type Diff = Schemas['Diff'];
export type Hunk = Schemas['Hunk'];
/** What the stream of the library tells of a document. */
export type DocumentNews = Pick<
  Document,
  'id' | 'indexing_status' | 'indexing_error' | 'progress' | 'mime_type' | 'warnings' | 'page_count' | 'has_thumbnail'
>;
export type Excerpt = Schemas['Excerpt'];
export type SearchSource = Schemas['SearchResult']['sources'][number];
export type SearchMetadata = Schemas['SearchMetadata'];

/** One page of a list, whatever it lists. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}
