/** What the screen does when the session ends or moves, here or in another tab. */
import type { QueryClient } from '@tanstack/react-query';
import { toast } from '@/lib/announce';
import { session } from '@/lib/http';
import { enterWorkspace } from '@/lib/me';
import type { createAppRouter } from './router';

const DOORS = ['/login', '/welcome', '/join', '/register'];

export function followSession(queries: QueryClient, router: ReturnType<typeof createAppRouter>): void {
  session.subscribe((news) => {
    const isAtDoor = DOORS.includes(router.state.location.pathname);
    if (news === 'signed-out' && !isAtDoor) {
      void router.navigate({ to: '/login' }).then(() => queries.clear());
    }
    if (news === 'switched' && !isAtDoor) {
      void router.navigate({ to: '/' }).then(() => enterWorkspace(queries));
      toast('You changed the workspace in another tab.', 'plain');
    }
  });
}
