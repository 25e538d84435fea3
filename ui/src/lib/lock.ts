/** One tab at a time. Browsers offer Web Locks only over https or on localhost; elsewhere a lease in storage serves. */

const LEASE_MS = 10_000;
const POLL_MS = 60;

export async function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  // The callback's promise keeps the lock; `request` resolves with its result.
  if (locks) return (await locks.request(`intelli.${name}`, work)) as Result;
  return withLease(`intelli.lease.${name}`, work);
}

async function withLease<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const mine = `${Math.random().toString(36).slice(2)}`;
  await takeLease(key, mine);
  try {
    return await work();
  } finally {
    if (ownerOf(key) === mine) localStorage.removeItem(key);
  }
}

async function takeLease(key: string, mine: string): Promise<void> {
  const giveUpAt = Date.now() + LEASE_MS;
  while (Date.now() < giveUpAt) {
    if (ownerOf(key) === null) {
      localStorage.setItem(key, JSON.stringify({ owner: mine, until: Date.now() + LEASE_MS }));
      await pause(POLL_MS);
      if (ownerOf(key) === mine) return;
    }
    await pause(POLL_MS * (0.5 + Math.random()));
  }
}

function ownerOf(key: string): string | null {
  try {
    const lease = JSON.parse(localStorage.getItem(key) ?? 'null') as { owner: string; until: number } | null;
    return lease && lease.until > Date.now() ? lease.owner : null;
  } catch {
    return null;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
