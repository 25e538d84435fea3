import { ArrowDownUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { count } from '@/lib/format';
import type { Community, Graph } from '@/lib/memoryWire';
import { colouringOf } from '../graph/colouring';
import { relationName } from '../words';
import { Dot } from './Legend';

interface NodeTableProps {
  graph: Graph;
  communities: readonly Community[];
  selected: string | undefined;
  onNode: (id: string) => void;
  onFact: (id: string) => void;
}

const PAGE = 100;
const CELL = 'border-b border-line px-2.5 py-1.5 text-left';

/** The picture in words: the same nodes with the same facts, for the keyboard, screen readers, and those who like lists. */
export function NodeTable({ graph, communities, selected, onNode, onFact }: NodeTableProps) {
  const [text, setText] = useState('');
  const [isByName, setByName] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const nodes = useMemo(() => orderedNodes(graph, text, isByName), [graph, text, isByName]);
  const facts = useMemo(() => factsByNode(graph), [graph]);
  const names = useMemo(() => new Map(communities.map(({ id, name }) => [id, name])), [communities]);
  const colouring = useMemo(() => colouringOf(graph, communities), [graph, communities]);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex flex-wrap items-center gap-2 pb-2">
        <input
          type="text"
          aria-label="Filter the list"
          placeholder="Filter the list…"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setShown(PAGE);
          }}
          className="h-8 w-64 max-w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm hover:border-ink-2 coarse:min-h-11"
        />
        <Button look="ghost" onClick={() => setByName(!isByName)}>
          <ArrowDownUp aria-hidden className="size-4" /> {isByName ? 'By name' : 'By number of facts'}
        </Button>
        <p role="status" className="text-xs text-ink-3">
          {count(nodes.length, 'node')}, {count(graph.edges.length, 'fact')} between them
        </p>
      </div>
      {nodes.length === 0 && (
        <EmptyState icon={<ArrowDownUp />} title="No such node">
          Another word may be in its name.
        </EmptyState>
      )}
      <table hidden={nodes.length === 0} className="w-full border-collapse text-sm">
        <caption className="sr-only">Nodes</caption>
        <thead className="text-xs text-ink-3">
          <tr>
            <th className={CELL}>Node</th>
            <th className={CELL}>Facts at this time</th>
            <th className={`${CELL} @max-2xl:hidden`}>Community</th>
          </tr>
        </thead>
        <tbody>
          {nodes.slice(0, shown).map((node) => (
            <tr key={node.id} className={node.id === selected ? 'bg-accent-soft' : ''}>
              <th scope="row" className={`${CELL} align-top font-medium`}>
                <button
                  type="button"
                  aria-current={node.id === selected || undefined}
                  onClick={() => onNode(node.id)}
                  className="text-left text-accent [overflow-wrap:anywhere] hover:underline"
                >
                  <bdi>{node.name}</bdi>
                </button>
                <span className="block text-xs font-normal text-ink-3">{node.labels.join(', ')}</span>
              </th>
              <td className={`${CELL} align-top`}>
                <FactNames edges={facts.get(node.id) ?? []} onFact={onFact} />
              </td>
              <td className={`${CELL} align-top text-xs text-ink-2 @max-2xl:hidden`}>
                {node.community !== null && (
                  <span className="inline-flex items-center gap-1.5">
                    <Dot rank={colouring.rankOf(node)} /> {names.get(node.community) ?? 'Unnamed'}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {nodes.length > shown && (
        <div className="py-3 text-center">
          <Button onClick={() => setShown(shown + PAGE)}>Show more</Button>
        </div>
      )}
    </div>
  );
}

const AT_FIRST = 3;

function FactNames({ edges, onFact }: { edges: Graph['edges']; onFact: (id: string) => void }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)]">
      {(isWhole ? edges : edges.slice(0, AT_FIRST)).map((edge) => (
        <li key={edge.id}>
          <button
            type="button"
            onClick={() => onFact(edge.id)}
            className="text-left text-ink-2 [overflow-wrap:anywhere] hover:text-ink hover:underline"
          >
            <bdi>{edge.statement}</bdi> <span className="text-xs text-ink-3">{relationName(edge.relation)}</span>
          </button>
        </li>
      ))}
      {!isWhole && edges.length > AT_FIRST && (
        <li>
          <button type="button" onClick={() => setWhole(true)} className="text-xs text-accent hover:underline">
            {count(edges.length - AT_FIRST, 'more fact', 'more facts')}
          </button>
        </li>
      )}
    </ul>
  );
}

function orderedNodes(graph: Graph, text: string, isByName: boolean): Graph['nodes'] {
  const wanted = text.trim().toLocaleLowerCase();
  const found =
    wanted === ''
      ? graph.nodes
      : graph.nodes.filter(({ name, labels }) => `${name} ${labels.join(' ')}`.toLocaleLowerCase().includes(wanted));
  return isByName ? found.toSorted((a, b) => a.name.localeCompare(b.name)) : found;
}

function factsByNode(graph: Graph): ReadonlyMap<string, Graph['edges']> {
  const found = new Map<string, Graph['edges'][number][]>();
  for (const edge of graph.edges) {
    for (const end of new Set([edge.source, edge.target])) {
      const known = found.get(end);
      if (known) known.push(edge);
      else found.set(end, [edge]);
    }
  }
  return found;
}
