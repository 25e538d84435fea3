/** Opening and drawing PDFs with pdf.js: fetched with the session's token, read in a worker, never as code. */
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, type RenderTask, TextLayer } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the address of a file, as Vite gives it
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { authorised } from '@/lib/http';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Sharp enough for the eye, small enough for a phone. */
const MOST_PIXELS_WIDE = 1_800;

export interface Opening {
  readonly pdf: Promise<PDFDocumentProxy>;
  readonly close: () => void;
}

export function openPdf(path: string): Opening {
  const stop = new AbortController();
  const pdf = fetchBytes(path, stop.signal).then(
    (data) => getDocument({ data, isEvalSupported: false, enableXfa: false, disableFontFace: false }).promise,
  );
  return {
    pdf,
    close: () => {
      stop.abort();
      pdf.then((opened) => opened.destroy()).catch(() => undefined);
    },
  };
}

async function fetchBytes(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await authorised(new Request(location.origin + path, { signal }));
  return new Uint8Array(await response.arrayBuffer());
}

interface Drawing {
  /** The shape of the page, width by height. */
  readonly done: Promise<string>;
  readonly stop: () => void;
}

export function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  { canvas, words }: { canvas: HTMLCanvasElement; words: HTMLElement },
): Drawing {
  let task: RenderTask | null = null;
  let isStopped = false;
  async function draw(): Promise<string> {
    const page = await pdf.getPage(number);
    const whole = page.getViewport({ scale: 1 });
    const width = canvas.parentElement?.clientWidth ?? whole.width;
    const scale = Math.min(width * devicePixelRatio, MOST_PIXELS_WIDE) / whole.width;
    const viewport = page.getViewport({ scale });
    canvas.width = viewport.width;
    canvas.height = viewport.height;
    if (!isStopped) {
      task = page.render({ canvas, viewport });
      await task.promise;
      words.style.setProperty('--total-scale-factor', String(width / whole.width));
      await new TextLayer({
        textContentSource: page.streamTextContent(),
        container: words,
        viewport: page.getViewport({ scale: width / whole.width }),
      }).render();
    }
    return `${whole.width} / ${whole.height}`;
  }
  return {
    done: draw().catch((error: unknown) => {
      if (isStopped) return `${canvas.width} / ${canvas.height}`;
      throw error;
    }),
    stop: () => {
      isStopped = true;
      task?.cancel();
      words.replaceChildren();
    },
  };
}
