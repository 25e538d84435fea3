/** Every address of the UI, and who may stand there. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { installationQuery } from '@/features/auth/api';
import { safeNext } from '@/features/auth/account';
import { readSearch } from '@/features/audit/filters';
import { type CheckSearch, readCheckSearch } from '@/features/checks/place';
import { type ConversationSearch, readAskSearch, readConversationSearch } from '@/features/conversation/place';
import { type DeliverableSearch, readDeliverableSearch, readListSearch } from '@/features/deliverables/place';
import { type LibrarySearch, readLibrarySearch } from '@/features/library/filters';
import { readMemorySearch } from '@/features/memory/place';
import { type ReadingSearch, readReadingSearch } from '@/features/reading/place';
import { readSearchQuery, type SearchQuery } from '@/features/search/filters';
import { session } from '@/lib/http';
import { meQuery } from '@/lib/me';
import { NotFoundPage } from '@/pages/NotFoundPage';
import { Root } from './Root';
import { RouteFailure } from './RouteFailure';

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: RouteFailure,
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  beforeLoad: async ({ context }) => {
    const installation = await context.queries.fetchQuery(installationQuery);
    if (installation.claimed) throw redirect({ to: '/login' });
  },
  component: lazyRouteComponent(() => import('@/pages/WelcomePage'), 'WelcomePage'),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (raw: Record<string, unknown>): { next?: string } =>
    typeof raw.next === 'string' ? { next: safeNext(raw.next) } : {},
  beforeLoad: async ({ context, search }) => {
    const installation = await context.queries.fetchQuery(installationQuery);
    if (!installation.claimed) throw redirect({ to: '/welcome' });
    if (await session.ensure()) throw redirect({ href: safeNext(search.next) });
  },
  component: lazyRouteComponent(() => import('@/pages/LoginPage'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  beforeLoad: async ({ context }) => {
    const installation = await context.queries.fetchQuery(installationQuery);
    if (!installation.claimed) throw redirect({ to: '/welcome' });
    if (installation.registration !== 'open') throw redirect({ to: '/login' });
  },
  component: lazyRouteComponent(() => import('@/pages/RegisterPage'), 'RegisterPage'),
});

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  loader: async ({ context }) => ({
    me: (await session.ensure()) ? await context.queries.ensureQueryData(meQuery) : null,
  }),
  component: lazyRouteComponent(() => import('@/pages/JoinPage'), 'JoinPage'),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    if (await session.ensure()) {
      await context.queries.ensureQueryData(meQuery);
      return;
    }
    const installation = await context.queries.fetchQuery(installationQuery);
    if (!installation.claimed) throw redirect({ to: '/welcome' });
    throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./shell/Shell'), 'Shell'),
  errorComponent: RouteFailure,
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: readAskSearch,
  component: lazyRouteComponent(() => import('@/pages/HomePage'), 'HomePage'),
});

const conversation = createRoute({
  getParentRoute: () => shell,
  path: '/c/$id',
  validateSearch: (raw: Record<string, unknown>): ConversationSearch & ReadingSearch => ({
    ...readConversationSearch(raw),
    ...readReadingSearch(raw),
  }),
  component: lazyRouteComponent(() => import('@/pages/ConversationPage'), 'ConversationPage'),
});

const library = createRoute({
  getParentRoute: () => shell,
  path: '/library',
  validateSearch: (raw: Record<string, unknown>): LibrarySearch & ReadingSearch => ({
    ...readLibrarySearch(raw),
    ...readReadingSearch(raw),
  }),
  component: lazyRouteComponent(() => import('@/pages/LibraryPage'), 'LibraryPage'),
});

const search = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  validateSearch: (raw: Record<string, unknown>): SearchQuery & ReadingSearch => ({
    ...readSearchQuery(raw),
    ...readReadingSearch(raw),
  }),
  component: lazyRouteComponent(() => import('@/pages/SearchPage'), 'SearchPage'),
});

const deliverables = createRoute({
  getParentRoute: () => shell,
  path: '/deliverables',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('@/pages/DeliverablesPage'), 'DeliverablesPage'),
});

const deliverable = createRoute({
  getParentRoute: () => shell,
  path: '/deliverables/$id',
  validateSearch: (raw: Record<string, unknown>): DeliverableSearch & ReadingSearch => ({
    ...readDeliverableSearch(raw),
    ...readReadingSearch(raw),
  }),
  component: lazyRouteComponent(() => import('@/pages/DeliverablePage'), 'DeliverablePage'),
});

const check = createRoute({
  getParentRoute: () => shell,
  path: '/check',
  component: lazyRouteComponent(() => import('@/pages/CheckPage'), 'CheckPage'),
});

const checked = createRoute({
  getParentRoute: () => shell,
  path: '/check/$id',
  validateSearch: (raw: Record<string, unknown>): CheckSearch & ReadingSearch => ({
    ...readCheckSearch(raw),
    ...readReadingSearch(raw),
  }),
  component: lazyRouteComponent(() => import('@/pages/CheckedPage'), 'CheckedPage'),
});

const memory = createRoute({
  getParentRoute: () => shell,
  path: '/memory',
  validateSearch: readMemorySearch,
  component: lazyRouteComponent(() => import('@/pages/MemoryPage'), 'MemoryPage'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('@/pages/settings/SettingsFrame'), 'SettingsFrame'),
});

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile' });
  },
});

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: lazyRouteComponent(() => import('@/pages/settings/ProfilePage'), 'ProfilePage'),
});

const workspace = createRoute({
  getParentRoute: () => settings,
  path: '/workspace',
  validateSearch: (raw: Record<string, unknown>): { invite?: true } => (raw.invite === true ? { invite: true } : {}),
  component: lazyRouteComponent(() => import('@/pages/settings/WorkspacePage'), 'WorkspacePage'),
});

const models = createRoute({
  getParentRoute: () => settings,
  path: '/models',
  validateSearch: (raw: Record<string, unknown>): { connect?: true } => (raw.connect === true ? { connect: true } : {}),
  component: lazyRouteComponent(() => import('@/pages/settings/ModelsPage'), 'ModelsPage'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  validateSearch: (raw: Record<string, unknown>): { create?: true } => (raw.create === true ? { create: true } : {}),
  component: lazyRouteComponent(() => import('@/pages/settings/KeysPage'), 'KeysPage'),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('@/pages/settings/AuditPage'), 'AuditPage'),
});

const tree = root.addChildren([
  welcome,
  login,
  register,
  join,
  shell.addChildren([
    home,
    conversation,
    library,
    search,
    deliverables,
    deliverable,
    check,
    checked,
    memory,
    settings.addChildren([settingsIndex, profile, workspace, models, keys, audit]),
  ]),
]);

export function createAppRouter(queries: QueryClient) {
  return createRouter({ routeTree: tree, context: { queries }, defaultPreload: 'intent', defaultPreloadStaleTime: 0 });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
