import { useQuery } from '@tanstack/react-query';
import { ArrowRight, CalendarX2, MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { Badge, Time } from '@/components/Marks';
import { Menu, MenuItem, MenuLine } from '@/components/Menu';
import type { Fact, Named, Provenance } from '@/lib/memoryWire';
import type { Acts } from '../acts';
import { factQuery } from '../api';
import type { Moment } from '../place';
import { intervalOf, standingOf } from '../time';
import { endOf, relationName, STANDINGS } from '../words';
import { FactLine } from './FactLine';
import { PaneFrame, PaneState, Part, Truths } from './PaneFrame';
import { ProofCard } from './ProofCard';

interface FactPaneProps {
  id: string;
  moment: Moment;
  acts: Acts;
  onClose: () => void;
}

const PROOFS = 4;

/** A fact with its proof: when it holds, when that was learned, what ended it, and who said so. */
export function FactPane({ id, moment, acts, onClose }: FactPaneProps) {
  const { data: fact, error } = useQuery(factQuery(id));
  if (!fact) return <PaneState kind="Fact" error={error} onClose={onClose} />;
  const { word, tone } = STANDINGS[standingOf(fact, moment)];
  return (
    <PaneFrame kind="Fact" title={fact.statement} actions={<FactMenu fact={fact} acts={acts} />} onClose={onClose}>
      <p className="flex flex-wrap items-center gap-1.5 text-sm">
        <NodeLink node={fact.subject} acts={acts} />
        <span className="inline-flex items-center gap-1 text-ink-2">
          {relationName(fact.relation)} <ArrowRight aria-hidden className="size-3.5 text-ink-3" />
        </span>
        {fact.object ? <NodeLink node={fact.object} acts={acts} /> : <bdi>{fact.object_text}</bdi>}
      </p>
      <Truths
        rows={[
          [
            'Standing',
            <Badge key="standing" tone={tone}>
              {word}
            </Badge>,
          ],
          ['When', intervalOf(fact)],
          ['Learned', <Time key="learned" at={fact.known_at} exact />],
          ...(fact.expired_at === null
            ? []
            : [['End learned', <Time key="end" at={fact.expired_at} exact />] as const]),
          ['Confidence', `${Math.round(fact.confidence * 100)} %`],
        ]}
      />
      {fact.end_reason !== null && <End fact={fact} acts={acts} />}
      <Proofs key={fact.id} fact={fact} acts={acts} />
      <History fact={fact} moment={moment} acts={acts} />
    </PaneFrame>
  );
}

function NodeLink({ node, acts }: { node: Named; acts: Acts }) {
  return (
    <button
      type="button"
      onClick={() => acts.open({ node: node.id })}
      className="max-w-full truncate rounded-sm bg-accent-soft px-1.5 py-px font-medium text-accent hover:underline"
    >
      <bdi>{node.name}</bdi>
    </button>
  );
}

function End({ fact, acts }: { fact: Provenance; acts: Acts }) {
  const { fact_id, episode_id } = fact.ended_by ?? { fact_id: null, episode_id: null };
  const successor = fact.history.find((one) => one.id === fact_id);
  return (
    <Part title="What ended it">
      <p className="text-sm text-ink-2">{endOf(fact)}</p>
      {successor && (
        <ul className="-mx-2.5 mt-1">
          <FactLine fact={successor} moment={{}} onOpen={(id) => acts.open({ fact: id })} />
        </ul>
      )}
      {episode_id !== null && (
        <Button look="ghost" className="-ml-3" onClick={() => acts.open({ episode: episode_id })}>
          Open the episode that said so
        </Button>
      )}
    </Part>
  );
}

function Proofs({ fact, acts }: { fact: Provenance; acts: Acts }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? fact.proof : fact.proof.slice(0, PROOFS);
  return (
    <Part title="Proof" note={String(fact.proof.length)}>
      {fact.proof.length === 0 && <p className="text-sm text-ink-2">No episode says this any more.</p>}
      <ul aria-label="Proof" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {shown.map((proof, position) => (
          <ProofCard key={`${proof.id}-${position}`} proof={proof} onOpen={(episode) => acts.open({ episode })} />
        ))}
      </ul>
      {shown.length < fact.proof.length && (
        <Button look="ghost" className="mt-1 -ml-3" onClick={() => setWhole(true)}>
          Show all {fact.proof.length}
        </Button>
      )}
    </Part>
  );
}

function History({ fact, moment, acts }: { fact: Provenance; moment: Moment; acts: Acts }) {
  if (fact.history.length < 2) return null;
  return (
    <Part title="In its place, over time" note={String(fact.history.length)}>
      <ul className="-mx-2.5 grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {fact.history.map((one) => (
          <FactLine
            key={one.id}
            fact={one}
            moment={moment}
            isOpen={one.id === fact.id}
            onOpen={(id) => acts.open({ fact: id })}
          />
        ))}
      </ul>
    </Part>
  );
}

function FactMenu({ fact, acts: { wish } }: { fact: Fact; acts: Acts }) {
  if (!wish) return null;
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="Change this fact">
          <MoreHorizontal aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => wish({ do: 'edit', fact })}>
        Correct…
      </MenuItem>
      {fact.invalid_at === null && (
        <MenuItem icon={<CalendarX2 aria-hidden />} onSelect={() => wish({ do: 'end', fact })}>
          End…
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem
        icon={<Trash2 aria-hidden />}
        onSelect={() => wish({ do: 'forget', target: { kind: 'fact', id: fact.id, fact } })}
      >
        Forget…
      </MenuItem>
    </Menu>
  );
}
