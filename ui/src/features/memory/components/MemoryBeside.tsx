import type { MemoryGroup } from '@/lib/memoryWire';
import type { Acts } from '../acts';
import { type MemorySearch, momentIn } from '../place';
import { EpisodePane } from './EpisodePane';
import { FactPane } from './FactPane';
import { GroupPane } from './GroupPane';
import { NodePane } from './NodePane';

interface MemoryBesideProps {
  search: MemorySearch;
  group: MemoryGroup | undefined;
  acts: Acts;
  onClose: () => void;
}

/** What stands beside the page: the episode, fact or node that was chosen; else the group as a whole. */
export function MemoryBeside({ search, group, acts, onClose }: MemoryBesideProps) {
  const moment = momentIn(search);
  if (search.episode !== undefined)
    return <EpisodePane id={search.episode} moment={moment} acts={acts} onClose={onClose} />;
  if (search.fact !== undefined) return <FactPane id={search.fact} moment={moment} acts={acts} onClose={onClose} />;
  if (search.node !== undefined) return <NodePane id={search.node} moment={moment} acts={acts} onClose={onClose} />;
  return group ? <GroupPane group={group} acts={acts} /> : null;
}
