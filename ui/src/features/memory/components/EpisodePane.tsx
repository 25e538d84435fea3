import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { IconButton } from '@/components/Button';
import { Time } from '@/components/Marks';
import type { Acts } from '../acts';
import { episodeQuery } from '../api';
import type { Moment } from '../place';
import { dayOf } from '../time';
import { sayingOf, speakerOf } from '../words';
import { FactLine } from './FactLine';
import { PaneFrame, PaneState, Part, Truths } from './PaneFrame';

interface EpisodePaneProps {
  id: string;
  moment: Moment;
  acts: Acts;
  onClose: () => void;
}

/** Something that was said, word for word, and what was understood from it. */
export function EpisodePane({ id, moment, acts, onClose }: EpisodePaneProps) {
  const { data: episode, error } = useQuery(episodeQuery(id));
  if (!episode) return <PaneState kind="Episode" error={error} onClose={onClose} />;
  const { wish } = acts;
  const saying = sayingOf(episode);
  const forget = wish && (
    <IconButton
      label="Forget this episode"
      onClick={() => wish({ do: 'forget', target: { kind: 'episode', id, episode } })}
    >
      <Trash2 aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <PaneFrame kind="Episode" title={episode.name || speakerOf(episode)} actions={forget} onClose={onClose}>
      {saying === null ? (
        <p className="text-sm text-ink-2">What was said is not kept here; only what was understood from it.</p>
      ) : (
        <blockquote className="border-l-3 border-line pl-3 font-serif text-base leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
          <bdi>{saying}</bdi>
        </blockquote>
      )}
      <Truths
        rows={[
          ['Said by', speakerOf(episode)],
          [
            'Said',
            <time key="said" dateTime={episode.valid_at}>
              {dayOf(episode.valid_at)}
            </time>,
          ],
          ['Arrived', <Time key="arrived" at={episode.created_at} exact />],
          ...(episode.source_description === '' ? [] : [['From', episode.source_description] as const]),
        ]}
      />
      <Part title="Understood from it" note={String(episode.facts.length)}>
        {episode.facts.length === 0 && <p className="text-sm text-ink-2">No fact rests on it.</p>}
        <ul aria-label="Understood from it" className="-mx-2.5 grid grid-cols-[minmax(0,1fr)] gap-0.5">
          {episode.facts.map((fact) => (
            <FactLine key={fact.id} fact={fact} moment={moment} onOpen={(one) => acts.open({ fact: one })} />
          ))}
        </ul>
      </Part>
    </PaneFrame>
  );
}
