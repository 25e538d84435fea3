/** Places the nodes of a graph, away from the page's own thread. A new task takes the place of the one at work. */
import { type Arrangement, arrangementOf, type LayoutTask } from './arrange';

/** Between two looks at the mail; also how often the page hears of new places. */
const TURN_MS = 40;

const post = (positions: Float32Array, id: number, isDone: boolean) =>
  postMessage({ id, positions, isDone }, { transfer: [positions.buffer] });

let work: { readonly id: number; readonly arrangement: Arrangement } | null = null;

addEventListener('message', ({ data }: MessageEvent<LayoutTask & { id: number }>) => {
  const wasIdle = work === null;
  work = { id: data.id, arrangement: arrangementOf(data) };
  if (wasIdle) turn();
});

function turn(): void {
  if (work === null) return;
  const { id, arrangement } = work;
  const until = performance.now() + TURN_MS;
  let isDone = arrangement.step();
  while (!isDone && performance.now() < until) isDone = arrangement.step();
  post(arrangement.positions(), id, isDone);
  if (isDone) work = null;
  else setTimeout(turn);
}
