import { useQuery } from '@tanstack/react-query';
import { GitMerge, MoreHorizontal, Split, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '@/components/Button';
import { Badge } from '@/components/Marks';
import { Menu, MenuItem, MenuLine } from '@/components/Menu';
import type { Fact, NodeHistory } from '@/lib/memoryWire';
import type { Acts } from '../acts';
import { nodeQuery } from '../api';
import type { Moment } from '../place';
import { type Standing, standingOf } from '../time';
import { relationName, valueText } from '../words';
import { EpisodeLine } from './EpisodeLine';
import { FactLine } from './FactLine';
import { PaneFrame, PaneState, Part, Truths } from './PaneFrame';

interface NodePaneProps {
  id: string;
  moment: Moment;
  acts: Acts;
  onClose: () => void;
}

const AT_FIRST = 20;

/** A node with all that is known of it: what holds at the moment, what comes, what ended, and who spoke of it. */
export function NodePane({ id, moment, acts, onClose }: NodePaneProps) {
  const { data: node, error } = useQuery(nodeQuery(id));
  if (!node) return <PaneState kind="Node" error={error} onClose={onClose} />;
  const attributes = Object.entries(node.attributes).map(
    ([name, value]) => [relationName(name), valueText(value)] as const,
  );
  return (
    <PaneFrame kind="Node" title={node.name} actions={<NodeMenu node={node} acts={acts} />} onClose={onClose}>
      {(node.labels.length > 0 || node.summary !== '') && (
        <div className="grid gap-2">
          {node.labels.length > 0 && (
            <p className="flex flex-wrap gap-1">
              {node.labels.map((label) => (
                <Badge key={label}>{label}</Badge>
              ))}
            </p>
          )}
          {node.summary !== '' && (
            <p className="text-sm text-pretty text-ink-2 [overflow-wrap:anywhere]">{node.summary}</p>
          )}
        </div>
      )}
      {attributes.length > 0 && <Truths rows={attributes} />}
      <Aliases node={node} acts={acts} />
      <Facts
        key={`${node.id}-now`}
        title={moment.as_of === undefined ? 'What holds' : 'What held then'}
        standing="holds"
        node={node}
        moment={moment}
        acts={acts}
      />
      <Facts key={`${node.id}-coming`} title="Later" standing="coming" node={node} moment={moment} acts={acts} />
      <Facts key={`${node.id}-ended`} title="Before" standing="ended" node={node} moment={moment} acts={acts} />
      {node.episodes.length > 0 && (
        <Part title="Named by" note={String(node.episodes.length)}>
          <ul className="-mx-2.5 grid grid-cols-[minmax(0,1fr)] gap-0.5">
            {node.episodes.map((episode) => (
              <EpisodeLine key={episode.id} episode={episode} onOpen={(one) => acts.open({ episode: one })} />
            ))}
          </ul>
        </Part>
      )}
    </PaneFrame>
  );
}

interface FactsProps {
  title: string;
  standing: Standing;
  node: NodeHistory;
  moment: Moment;
  acts: Acts;
}

function Facts({ title, standing, node, moment, acts }: FactsProps) {
  const [isWhole, setWhole] = useState(false);
  const facts = node.facts.filter((fact) => standingOf(fact, moment) === standing);
  const ordered: readonly Fact[] = standing === 'ended' ? facts.toReversed() : facts;
  if (facts.length === 0)
    return standing === 'holds' ? (
      <p className="text-sm text-ink-2">
        Nothing is known to hold of it {moment.as_of === undefined ? 'now' : 'then'}.
      </p>
    ) : null;
  return (
    <Part title={title} note={String(facts.length)}>
      <ul aria-label={title} className="-mx-2.5 grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {(isWhole ? ordered : ordered.slice(0, AT_FIRST)).map((fact) => (
          <FactLine key={fact.id} fact={fact} moment={moment} onOpen={(fact_id) => acts.open({ fact: fact_id })} />
        ))}
      </ul>
      {!isWhole && facts.length > AT_FIRST && (
        <Button look="ghost" className="-ml-3" onClick={() => setWhole(true)}>
          Show all {facts.length}
        </Button>
      )}
    </Part>
  );
}

function Aliases({ node, acts: { wish } }: { node: NodeHistory; acts: Acts }) {
  if (node.aliases.length === 0) return null;
  return (
    <Part title="Also called">
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {node.aliases.map((alias) => (
          <li key={alias.id} className="flex min-h-8 items-center gap-2 text-sm">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <bdi>{alias.name}</bdi>
              {alias.reason !== '' && <span className="block text-xs text-ink-3">{alias.reason}</span>}
            </span>
            {wish && (
              <IconButton label={`Split ${alias.name} off`} onClick={() => wish({ do: 'split', node, alias })}>
                <Split aria-hidden className="size-4" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function NodeMenu({ node, acts: { wish } }: { node: NodeHistory; acts: Acts }) {
  if (!wish) return null;
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="Change this node">
          <MoreHorizontal aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={<GitMerge aria-hidden />} onSelect={() => wish({ do: 'merge', node })}>
        Merge with another…
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={<Trash2 aria-hidden />}
        onSelect={() => wish({ do: 'forget', target: { kind: 'node', id: node.id, node } })}
      >
        Forget…
      </MenuItem>
    </Menu>
  );
}
