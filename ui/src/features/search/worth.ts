/** Which results are worth a look at once. */
import type { SearchSource } from '@/lib/wire';

/** What fits less than this part as well as the best stands back. */
const WEAK = 0.25;

export interface Sorted {
  readonly strong: readonly SearchSource[];
  readonly weak: readonly SearchSource[];
}

export function byWorth(sources: readonly SearchSource[]): Sorted {
  const best = Math.max(0, ...sources.map(({ relevance_score }) => relevance_score));
  const isStrong = ({ relevance_score }: SearchSource) => relevance_score >= best * WEAK;
  return { strong: sources.filter(isStrong), weak: sources.filter((source) => !isStrong(source)) };
}
