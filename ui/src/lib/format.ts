/** Times, counts and names as people read them. The reader's own locale and time zone decide. */

const RELATIVE_STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
];
const WEEK_S = 7 * 86_400;

/** "just now", "5 minutes ago", "in 3 days"; beyond a week, the date. */
export function relativeTime(iso: string, now: number = Date.now(), locale?: string): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  // The clock of the screen and of the server may differ a little: what is barely in the future is now.
  if (Math.abs(seconds) < 45) return 'just now';
  if (Math.abs(seconds) > WEEK_S) return shortDate(iso, locale);
  const [unit, size] = RELATIVE_STEPS.findLast(([, step]) => Math.abs(seconds) >= step) ?? (['minute', 60] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

export function shortDate(iso: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(iso));
}

/** A day without a time: the same in every zone. */
export function longDate(day: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

export function exactTime(iso: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(iso));
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${new Intl.NumberFormat().format(amount)} ${amount === 1 ? one : many}`;
}

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** "0 B", "340 kB", "1.2 MB": three figures at most, in steps of a thousand. */
export function fileSize(bytes: number, locale?: string): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), SIZE_UNITS.length - 1);
  const options = {
    style: 'unit',
    unit: SIZE_UNITS[step],
    unitDisplay: step === 0 ? 'narrow' : 'short',
    maximumSignificantDigits: 3,
  } as const;
  return new Intl.NumberFormat(locale, options).format(bytes / 1000 ** step).replace(/(\d)B$/, '$1 B');
}

/** One or two letters that stand for a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return (
    letters
      .map((word) => [...(word ?? '')][0] ?? '')
      .join('')
      .toLocaleUpperCase() || '?'
  );
}

/** "Firefox on Linux" out of a user-agent header; programs keep the name they gave. */
export function clientName(client: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/[\d.]+/.exec(client)?.[1];
  if (!client.startsWith('Mozilla/') || !browser) return client.split(/[\s(]/)[0] || 'Unknown program';
  const named = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser;
  const system = /(iPhone|iPad|Android|Windows|Mac OS X|CrOS|Linux)/.exec(client)?.[1];
  return system ? `${named} on ${{ 'Mac OS X': 'macOS', CrOS: 'ChromeOS' }[system] ?? system}` : named;
}

export function titleCase(word: string): string {
  return word.charAt(0).toLocaleUpperCase() + word.slice(1);
}

export function isPast(iso: string): boolean {
  return Date.parse(iso) <= Date.now();
}

/** A name without marks that reverse the direction of text, which would let one file pass for another. */
export function plainName(name: string): string {
  return name.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
}
