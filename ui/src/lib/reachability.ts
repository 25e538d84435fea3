/** Whether the server answers. Every call reports; while it does not, a probe asks until it does. */
import { create } from 'zustand';

const PROBE_URL = '/api/v1/installation';
const PROBE_TIMEOUT_MS = 5_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 15_000;

interface State {
  readonly reachable: boolean;
  readonly probing: boolean;
}

export const useReachability = create<State>(() => ({ reachable: true, probing: false }));

let timer: ReturnType<typeof setTimeout> | undefined;
let waitMs = FIRST_WAIT_MS;

function report(reachable: boolean): void {
  if (reachable === useReachability.getState().reachable) return;
  useReachability.setState({ reachable });
  clearTimeout(timer);
  waitMs = FIRST_WAIT_MS;
  if (!reachable) timer = setTimeout(probe, waitMs);
}

async function probe(): Promise<void> {
  clearTimeout(timer);
  useReachability.setState({ probing: true });
  const response = await fetch(PROBE_URL, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(() => null);
  useReachability.setState({ probing: false });
  if (response?.ok) return report(true);
  waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  timer = setTimeout(probe, waitMs);
}

export const reachability = { report, probe };
