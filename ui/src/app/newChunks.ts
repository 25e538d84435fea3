/** After an upgrade of the server an old tab may ask for a part that is gone: it then reloads, once. */
const KEY = 'intelli.reloaded-at';
const AGAIN_AFTER_MS = 60_000;

export function reloadOnceForNewChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < AGAIN_AFTER_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  });
}
