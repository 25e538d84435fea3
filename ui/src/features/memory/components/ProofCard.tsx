import { useQuery } from '@tanstack/react-query';
import { Badge } from '@/components/Marks';
import type { Proof } from '@/lib/memoryWire';
import { episodeQuery } from '../api';
import { quoted } from '../quote';
import { dayOf } from '../time';
import { sayingOf, speakerOf } from '../words';

interface ProofCardProps {
  proof: Proof;
  onOpen: (episode: string) => void;
}

/** An episode that proves a fact: who said it, when, and the very words, among those around them. */
export function ProofCard({ proof, onOpen }: ProofCardProps) {
  const episode = useQuery(episodeQuery(proof.id)).data;
  const { before, quote, after } = quoted(episode ?? null, proof);
  return (
    <li className="relative rounded-md border border-line bg-surface p-3 hover:border-line-strong">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
        <button
          type="button"
          onClick={() => onOpen(proof.id)}
          className="font-semibold text-ink after:absolute after:inset-0 after:rounded-md focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          <bdi>{episode ? speakerOf(episode) : 'Episode'}</bdi>
        </button>
        <time dateTime={proof.valid_at} className="tabular-nums">
          {dayOf(proof.valid_at)}
        </time>
        {proof.says === 'ends' && <Badge>Says that it ended</Badge>}
      </p>
      {quote === null ? (
        <p className="mt-1.5 text-sm text-pretty text-ink-2 [overflow-wrap:anywhere]">
          {episode && (sayingOf(episode) ?? 'What was said is not kept; only what was understood.')}
        </p>
      ) : (
        <blockquote className="mt-1.5 font-serif text-sm leading-relaxed text-pretty [overflow-wrap:anywhere]">
          <bdi>
            {before}
            <mark className="evidence">{quote}</mark>
            {after}
          </bdi>
        </blockquote>
      )}
    </li>
  );
}
