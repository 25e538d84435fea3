/** The page's end of the layout: asks the worker, and hears of places as they are found. */
import type { LayoutTask } from './arrange';

type Hear = (positions: Float32Array<ArrayBuffer>, isDone: boolean) => void;

export interface Layout {
  readonly arrange: (task: LayoutTask) => void;
  readonly close: () => void;
}

/** Where moving pictures are unwelcome only the finished shape is told. */
export function openLayout(hear: Hear, isStill: () => boolean): Layout {
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
  let asked = 0;
  worker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ id: number; positions: Float32Array<ArrayBuffer>; isDone: boolean }>) => {
      // What was found for an earlier graph has no meaning for this one.
      if (data.id === asked && (data.isDone || !isStill())) hear(data.positions, data.isDone);
    },
  );
  return {
    arrange: (task) => {
      asked += 1;
      worker.postMessage({ ...task, id: asked }, []);
    },
    close: () => worker.terminate(),
  };
}
