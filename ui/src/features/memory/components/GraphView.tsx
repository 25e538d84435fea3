import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '@/components/Button';
import { count } from '@/lib/format';
import type { Community, Graph } from '@/lib/memoryWire';
import { colouringOf } from '../graph/colouring';
import { Gestures, pressed, wheelFactor } from '../graph/gestures';
import { pictureOf } from '../graph/picture';
import type { Stage } from '../graph/stage';
import { type Pointed, usePicture, useStage } from '../graph/useStage';
import { Legend } from './Legend';

interface GraphViewProps {
  graph: Graph;
  communities: readonly Community[];
  selected: string | undefined;
  onSelect: (id: string | null) => void;
  onList: () => void;
}

/** From so many lines on they are drawn with less care. */
const MANY = 3_000;

/** The picture of a group. It is drawn, not written: the list says the same to those who do not see it. */
export function GraphView({ graph, communities, selected, onSelect, onList }: GraphViewProps) {
  const surface = useRef<HTMLCanvasElement>(null);
  const writing = useRef<HTMLCanvasElement>(null);
  const [gestures] = useState(() => new Gestures());
  const { stage, isAble, isSettled, pointed } = useStage(surface, writing, graph.edges.length > MANY);
  const [text, setText] = useState('');
  const colouring = useMemo(() => colouringOf(graph, communities), [graph, communities]);
  const picture = useMemo(() => pictureOf(graph, colouring), [graph, colouring]);
  const found = useMemo(() => matching(graph, text), [graph, text]);
  usePicture(stage, picture, selected, found);
  useWheel(surface, stage);

  const act = (how: (stage: Stage) => void) => {
    if (stage.current) how(stage.current);
  };
  const choose = (node: number | null | undefined) =>
    node !== undefined && onSelect(node === null ? null : (picture.ids[node] ?? null));

  if (!isAble) return <NoPicture onList={onList} />;
  return (
    <div className="relative min-h-80 flex-1 overflow-hidden rounded-lg border border-line bg-surface">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- panned and zoomed by keys too; the list is its twin */}
      <div
        role="application"
        aria-label={`Picture of ${count(graph.nodes.length, 'node')} and ${count(graph.edges.length, 'fact')}. Arrow keys move it, plus and minus zoom, 0 shows all. The list view has the same nodes.`}
        data-settled={isSettled}
        tabIndex={0}
        onKeyDown={(event) => act((made) => pressed(event, made) && event.preventDefault())}
        onPointerDown={(event) => gestures.down(event)}
        onPointerMove={(event) => act((made) => gestures.move(event, made))}
        onPointerUp={(event) => act((made) => choose(gestures.up(event, made)))}
        onPointerCancel={(event) => act((made) => gestures.up(event, made))}
        onPointerLeave={() => act((made) => gestures.leave(made))}
        className={`absolute inset-0 touch-none overflow-hidden focus-visible:-outline-offset-2 ${pointed === null ? 'cursor-grab active:cursor-grabbing' : 'cursor-pointer'}`}
      >
        <canvas ref={surface} className="absolute" />
        <canvas ref={writing} className="pointer-events-none absolute" />
      </div>
      <div className="absolute top-2 left-2 w-56 max-w-[60%]">
        <Finder text={text} found={found?.size} onText={setText} onFirst={() => choose(found?.values().next().value)} />
      </div>
      <div className="absolute right-2 bottom-2 flex flex-col rounded-md border border-line bg-surface">
        <IconButton label="Zoom in" onClick={() => act((made) => made.zoomBy(1.4))}>
          <Plus aria-hidden className="size-4" />
        </IconButton>
        <IconButton label="Zoom out" onClick={() => act((made) => made.zoomBy(1 / 1.4))}>
          <Minus aria-hidden className="size-4" />
        </IconButton>
        <IconButton label="Show all" onClick={() => act((made) => made.fit())}>
          <Maximize aria-hidden className="size-4" />
        </IconButton>
      </div>
      <Legend colouring={colouring} more={graph.truncated ? graph.nodes.length : null} />
      {pointed !== null && <Tip pointed={pointed} graph={graph} />}
    </div>
  );
}

/** The wheel is heard by hand: only so may the page be kept from scrolling. */
function useWheel(surface: React.RefObject<HTMLCanvasElement | null>, stage: React.RefObject<Stage | null>): void {
  useEffect(() => {
    const frame = surface.current?.parentElement;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const box = frame?.getBoundingClientRect();
      stage.current?.zoomBy(wheelFactor(event), {
        x: event.clientX - (box?.left ?? 0),
        y: event.clientY - (box?.top ?? 0),
      });
    };
    frame?.addEventListener('wheel', turn, { passive: false });
    return () => frame?.removeEventListener('wheel', turn);
  }, [surface, stage]);
}

function matching(graph: Graph, text: string): ReadonlySet<number> | null {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return null;
  return new Set(graph.nodes.flatMap(({ name }, index) => (name.toLocaleLowerCase().includes(wanted) ? [index] : [])));
}

interface FinderProps {
  text: string;
  found: number | undefined;
  onText: (text: string) => void;
  onFirst: () => void;
}

function Finder({ text, found, onText, onFirst }: FinderProps) {
  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') onFirst();
    else if (event.key === 'Escape' && text !== '') onText('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <>
      <input
        type="text"
        aria-label="Find in the picture"
        placeholder="Find in the picture…"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={press}
        className="h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm hover:border-ink-2 coarse:min-h-11"
      />
      {found !== undefined && (
        <p role="status" className="mt-1 inline-block rounded-sm bg-surface px-1.5 text-xs text-ink-2">
          {found === 0 ? 'No such node' : `${count(found, 'node')}; Enter opens the first`}
        </p>
      )}
    </>
  );
}

function Tip({ pointed, graph }: { pointed: Pointed; graph: Graph }) {
  const node = graph.nodes[pointed.node];
  if (!node) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 max-w-64 rounded-md bg-surface px-2.5 py-1.5 text-sm shadow-float"
      style={{ left: pointed.at.x + 14, top: pointed.at.y + 14 }}
    >
      <p className="font-semibold [overflow-wrap:anywhere]">{node.name}</p>
      <p className="text-xs text-ink-3">{[...node.labels, count(node.degree, 'fact')].join(' · ')}</p>
    </div>
  );
}

function NoPicture({ onList }: { onList: () => void }) {
  return (
    <div className="rounded-lg border border-dashed border-line p-6 text-center text-sm text-ink-2">
      This browser cannot draw the picture (it has no WebGL 2).{' '}
      <button type="button" onClick={onList} className="font-medium text-accent underline">
        See the same nodes as a list
      </button>
    </div>
  );
}
