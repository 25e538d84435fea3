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
  const mine = Math.random().toString(36).slice(2);
  const storage = usableStorage();
  if (storage) await takeLease(storage, key, mine);
  try {
    return await work();
  } finally {
    if (storage && ownerOf(storage, key) === mine) storage.removeItem(key);
  }
}

/** Waits for the lease, but not for ever: a tab that vanished with it must not stop the others. */
async function takeLease(storage: Storage, key: string, mine: string): Promise<void> {
  const giveUpAt = Date.now() + LEASE_MS;
  while (Date.now() < giveUpAt) {
    if (ownerOf(storage, key) === null) {
      storage.setItem(key, JSON.stringify({ owner: mine, until: Date.now() + LEASE_MS }));
      // Two tabs may have written at once: the last one to write owns it.
      await pause(POLL_MS);
      if (ownerOf(storage, key) === mine) return;
    }
    await pause(POLL_MS * (0.5 + Math.random()));
  }
}

function ownerOf(storage: Storage, key: string): string | null {
  const lease = JSON.parse(storage.getItem(key) ?? 'null') as { owner: string; until: number } | null;
  return lease && lease.until > Date.now() ? lease.owner : null;
}

/** Undefined where the browser forbids storage: tabs then cannot know of each other. */
function usableStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
