/** Which results are worth a look at once. */
import type { SearchSource } from '@/lib/wire';
import { holdsAll } from './excerpt';

/** What fits less than this part as well as the best stands back, unless it holds every word that was asked for. */
const WEAK = 0.03;

export interface Sorted {
  readonly strong: readonly SearchSource[];
  readonly weak: readonly SearchSource[];
}

export function byRelevance(sources: readonly SearchSource[], query: string): Sorted {
  const best = Math.max(0, ...sources.map(({ relevance_score }) => relevance_score));
  const isStrong = ({ relevance_score, excerpts }: SearchSource) =>
    relevance_score >= best * WEAK || excerpts.some(({ content }) => holdsAll(content, query));
  return { strong: sources.filter(isStrong), weak: sources.filter((source) => !isStrong(source)) };
}
