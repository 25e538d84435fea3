import { useEffect, useEffectEvent, useRef } from 'react';
import { Error as ERRORS, type Loader, logger, parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { ChartSpec } from '@/lib/gml/chartSpec';
import { useTheme } from '@/lib/useTheme';
import { coloured, fitted, isFitted, themeOf } from '../../charts';

interface VegaChartProps {
  spec: ChartSpec;
  /** The chart in a sentence. */
  label: string;
  onFailure: () => void;
}

const refuse = () => Promise.reject(new Error('A chart holds its data and fetches none.'));
const NO_NETWORK = { load: refuse, sanitize: refuse, http: refuse, file: refuse } as unknown as Loader;

/** Draws a chart without evaluating code, as our content policy wants it, and without any way to the network. */
export default function VegaChart({ spec, label, onFailure }: VegaChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const fail = useEffectEvent(onFailure);

  useEffect(() => {
    if (!frame.current) return undefined;
    try {
      const view = viewOf(spec, frame.current, theme);
      view.runAsync().catch(fail);
      const watcher = new ResizeObserver(([entry]) => entry && widen(view, entry.contentRect.width));
      if (isFitted(spec)) watcher.observe(frame.current);
      return () => {
        watcher.disconnect();
        view.finalize();
      };
    } catch {
      fail();
      return undefined;
    }
  }, [spec, theme]);

  return (
    <div role="img" aria-label={label}>
      <div ref={frame} aria-hidden className="report-drawing" />
    </div>
  );
}

/** Vega hears of the window alone; a pane beside it changes the width too. */
function widen(view: View, width: number): void {
  if (width > 0 && Math.abs(view.width() - width) > 1)
    view
      .width(width)
      .runAsync()
      .catch(() => undefined);
}

function viewOf(spec: ChartSpec, frame: HTMLElement, theme: string): View {
  const style = getComputedStyle(frame);
  const themed = coloured(fitted(spec), (property) => style.getPropertyValue(property).trim());
  // Warnings are for who writes a spec: ours says in which direction it fits, and is told that it does not in the other.
  const { spec: drawing } = compile(themed as TopLevelSpec, {
    config: themeOf(style, theme, frame.clientWidth),
    logger: logger(ERRORS),
  });
  // The AST and its interpreter stand in for generated code.
  return new View(parse(drawing, undefined, { ast: true }), {
    expr: expressionInterpreter,
    loader: NO_NETWORK,
    renderer: 'svg',
    container: frame,
    hover: true,
  });
}
