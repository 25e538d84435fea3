/** Fetches the other pages once the first one stands: they then open at once, also while the server is out of reach. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

const QUIET_MS = 1_500;

export function usePreloadedPages(): void {
  const router = useRouter();
  useEffect(() => {
    const timer = setTimeout(() => {
      // A page that cannot be fetched now is fetched, or reloaded, when it is opened.
      for (const route of Object.values(router.routesById))
        void Promise.resolve(router.loadRouteChunk(route)).catch(() => undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [router]);
}
