// Runs before the first paint, so that a dark reader never sees a white flash. The app takes over in src/app/theme.ts.
(() => {
  let choice = 'system';
  try {
    choice = JSON.parse(localStorage.getItem('intelli.theme') ?? '"system"');
  } catch {
    // Storage may be forbidden or hold something else: follow the system.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
