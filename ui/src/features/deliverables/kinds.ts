/** What deliverables are called, what they can be exported as, and how far they are, in words. */
import type { Deliverable, FormatName, Kind, Status, Wanted } from '@/lib/deliverableWire';
import { count } from '@/lib/format';

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  REPORT: 'Report',
  WEBSITE: 'Website',
  SLIDES: 'Slides',
  DOCUMENT: 'Document',
};
export const KINDS = Object.keys(KIND_NAMES) as readonly Kind[];

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  pending: 'Waiting',
  in_progress: 'Being made',
  completed: 'Ready',
  failed: 'Failed',
  cancelled: 'Stopped',
};
export const STATUSES = Object.keys(STATUS_NAMES) as readonly Status[];

export const CHOICES: readonly { readonly value: Wanted; readonly text: string; readonly note: string }[] = [
  { value: 'STANDARD', text: 'Answer', note: 'A cited answer in the conversation' },
  { value: 'REPORT', text: 'Report', note: 'Sections, figures, tables and charts, every statement cited' },
  { value: 'WEBSITE', text: 'Website', note: 'Pages that open from disk, without a network' },
  { value: 'SLIDES', text: 'Slides', note: 'For the browser, and as PowerPoint' },
  { value: 'DOCUMENT', text: 'Document', note: 'PDF and Word, with notes and a list of sources' },
  { value: 'REPORT_WITH_WEBSITE', text: 'Report + website', note: 'Both, from the same figures' },
];

export interface Format {
  readonly format: FormatName;
  readonly text: string;
  readonly note: string;
}

export const FORMATS: readonly Format[] = [
  { format: 'pdf', text: 'PDF', note: 'Tagged, with contents and notes' },
  { format: 'docx', text: 'Word', note: 'Headings, notes and links' },
  { format: 'pptx', text: 'PowerPoint', note: 'Slides with native charts' },
  { format: 'html', text: 'Web page', note: 'One file' },
  { format: 'site', text: 'Website', note: 'A bundle that opens from disk' },
  { format: 'slides', text: 'Slides for the browser', note: 'A bundle that opens from disk' },
  { format: 'md', text: 'Markdown', note: 'With footnotes' },
  { format: 'gml', text: 'GML', note: 'As it is kept' },
  { format: 'bib', text: 'Sources as BibTeX', note: 'For LaTeX and Zotero' },
  { format: 'csl', text: 'Sources as CSL-JSON', note: 'For reference managers' },
];

const PHASES: Readonly<Record<string, string>> = {
  reading: 'Reading the brief',
  storing: 'Putting it away',
  pdf: 'Setting the PDF',
  docx: 'Writing the Word file',
  pptx: 'Drawing the PowerPoint slides',
  slides: 'Drawing the slides',
  site: 'Building the pages',
};

export function phaseOf({ status, phase }: Pick<Deliverable, 'status' | 'phase'>): string {
  if (status === 'pending') return 'Waiting for its turn';
  return PHASES[phase] ?? (phase === '' ? STATUS_NAMES[status] : phase);
}

/** “Version 2 · 1,240 words · 3 files”. */
export function factsOf({ version, words, files }: Pick<Deliverable, 'version' | 'words' | 'files'>): string {
  return [
    version > 0 && `Version ${version}`,
    words > 0 && count(words, 'word'),
    files.length > 1 && count(files.length, 'file'),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** “4 s”, “1:05”. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
