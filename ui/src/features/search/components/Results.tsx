import { ChevronDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/Button';
import { count } from '@/lib/format';
import type { SearchSource } from '@/lib/wire';
import { byRelevance } from '../relevance';
import { type Opened, type Passage, SourceCard } from './SourceCard';

interface ResultsProps {
  sources: readonly SearchSource[];
  query: string;
  opened: Opened;
  onOpen: (passage: Passage) => void;
}

/** What was found, the best first; what fits much less is shown when asked for. */
export function Results({ sources, query, opened, onOpen }: ResultsProps) {
  const [isWhole, setWhole] = useState(false);
  const { strong, weak } = useMemo(() => byRelevance(sources, query), [sources, query]);
  return (
    <>
      <ul aria-label="Results">
        {(isWhole ? sources : strong).map((source) => (
          <SourceCard key={source.file_id} source={source} query={query} opened={opened} onOpen={onOpen} />
        ))}
      </ul>
      {weak.length > 0 && !isWhole && (
        <div className="border-t border-line pt-4">
          <Button look="ghost" onClick={() => setWhole(true)} className="-ml-3">
            <ChevronDown aria-hidden className="size-4" />
            Show {count(weak.length, 'weaker match', 'weaker matches')}
          </Button>
        </div>
      )}
    </>
  );
}
