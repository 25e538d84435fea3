/** Facts in time: where a moment stands on the slider, and how a fact stands at a moment. */
import { exactTime, shortDate } from '@/lib/format';
import type { Fact, TimelineExtent } from '@/lib/memoryWire';
import type { Moment } from './place';

/** What the slider spans, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** How finely the slider moves. */
export const STEPS = 1_000;
const DAY_MS = 86_400_000;
/** Room before the first moment, so that one can stand before it. */
const MARGIN = 0.03;

/** From a little before the first moment up to now, or beyond where something is said of the future. */
export function spanOf({ first, last }: Pick<TimelineExtent, 'first' | 'last'>, now: number): Span {
  const from = Math.min(now - DAY_MS, first === null ? now : Date.parse(first));
  const to = Math.max(now, last === null ? now : Date.parse(last));
  return { from: Math.floor(from - (to - from) * MARGIN), to };
}

/** Where a moment stands on the slider; no moment is now. */
export function stepOf(span: Span, asOf: string | undefined, now: number): number {
  const at = asOf === undefined ? now : Date.parse(asOf);
  const part = (at - span.from) / (span.to - span.from);
  return Math.round(Math.min(1, Math.max(0, part)) * STEPS);
}

/** The moment at a step; the step of now is no moment, so that the picture goes on with the time. */
export function momentAt(span: Span, step: number, now: number): string | undefined {
  if (step === stepOf(span, undefined, now)) return undefined;
  const at = span.from + ((span.to - span.from) * step) / STEPS;
  return new Date(Math.round(at / 1000) * 1000).toISOString();
}

/** Where the parts of a span stand in which something changes, from 0 to 1, each as high as it has changes. */
export function barsOf(
  span: Span,
  buckets: TimelineExtent['buckets'],
): readonly { readonly at: number; readonly height: number }[] {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  // By the root: one busy day must not flatten all others.
  return buckets.map(({ at, count }) => ({
    at: (Date.parse(at) - span.from) / (span.to - span.from),
    height: Math.sqrt(count / most),
  }));
}

/** The last moment at which a change had not happened yet. */
export function justBefore(change: string): string {
  return new Date(Date.parse(change) - 1000).toISOString();
}

/** The first moment after another that can be asked for. */
export function justAfter(moment: string | undefined, now: number): string {
  return new Date((moment === undefined ? now : Date.parse(moment)) + 1).toISOString();
}

export type Standing = 'holds' | 'ended' | 'coming' | 'unknown';

/** How a fact stands at a moment, by what was known then. An end that was not known yet had not come. */
export function standingOf(
  fact: Pick<Fact, 'valid_at' | 'invalid_at' | 'known_at' | 'expired_at'>,
  moment: Moment,
  now: number = Date.now(),
): Standing {
  const known = moment.known_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(moment.known_at);
  if (Date.parse(fact.known_at) > known) return 'unknown';
  const here = moment.as_of === undefined ? Math.min(now, known) : Date.parse(moment.as_of);
  if (fact.valid_at !== null && Date.parse(fact.valid_at) > here) return 'coming';
  const isEndKnown = fact.expired_at === null || Date.parse(fact.expired_at) <= known;
  return fact.invalid_at !== null && isEndKnown && Date.parse(fact.invalid_at) <= here ? 'ended' : 'holds';
}

/** A date, or with the time of day where it is not midnight; a day told as such is the same day everywhere. */
export function dayOf(iso: string, locale?: string): string {
  const isMidnight = /T00:00:00(\.0+)?(Z|\+00:00)$/.test(iso);
  if (!isMidnight)
    return new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: new Date(iso).getUTCSeconds() === 0 ? 'short' : 'medium',
    }).format(new Date(iso));
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));
}

/** “since 1 May 2024”, “1 May 2024 – 3 June 2025”, “until 3 June 2025”. */
export function intervalOf({ valid_at, invalid_at }: Pick<Fact, 'valid_at' | 'invalid_at'>, locale?: string): string {
  if (valid_at !== null && valid_at === invalid_at) return 'never, as it turned out';
  if (valid_at === null) return invalid_at === null ? 'since nobody said when' : `until ${dayOf(invalid_at, locale)}`;
  return invalid_at === null
    ? `since ${dayOf(valid_at, locale)}`
    : `${dayOf(valid_at, locale)} – ${dayOf(invalid_at, locale)}`;
}

/** A moment in a few words, for the slider. */
export function momentText(asOf: string | undefined, span: Span): string {
  if (asOf === undefined) return 'Now';
  return span.to - span.from < 3 * DAY_MS ? exactTime(asOf) : shortDate(asOf);
}

/** A moment as the browser's field for date and time takes it, where the reader is. */
export function fieldValue(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The moment that such a field holds; undefined for none. */
export function fromField(value: string): string | undefined {
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
