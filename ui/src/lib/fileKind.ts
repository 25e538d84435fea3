/** What sort of file something is, in a word that people use. Decided by the type the server found in its bytes. */

export const FILE_KINDS = [
  'pdf',
  'document',
  'text',
  'sheet',
  'slides',
  'web',
  'mail',
  'image',
  'data',
  'archive',
  'other',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export const KIND_NAMES: Record<FileKind, string> = {
  pdf: 'PDF',
  document: 'Document',
  text: 'Text',
  sheet: 'Table',
  slides: 'Slides',
  web: 'Web page',
  mail: 'E-mail',
  image: 'Picture',
  data: 'Data',
  archive: 'Archive',
  other: 'File',
};

const BY_TYPE: readonly (readonly [RegExp, FileKind])[] = [
  [/^application\/pdf$/, 'pdf'],
  [/^image\//, 'image'],
  [/spreadsheet|ms-excel|csv|tab-separated/, 'sheet'],
  [/presentation|powerpoint/, 'slides'],
  [/html/, 'web'],
  [/^message\/|ms-outlook/, 'mail'],
  [/json|xml(?!formats)/, 'data'],
  [/wordprocessing|msword|opendocument\.text|rtf|epub/, 'document'],
  [/^text\//, 'text'],
  [/zip|tar|x-7z|rar/, 'archive'],
];

export function kindOf(mimeType: string): FileKind {
  const type = mimeType.toLowerCase().split(';')[0] ?? '';
  return BY_TYPE.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
}

/** Files that are shown as pictures of their pages. */
export function hasPagePictures(mimeType: string): boolean {
  return ['pdf', 'image'].includes(kindOf(mimeType));
}
