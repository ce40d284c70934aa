import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { routerBasePath } from '../api/base';
import { OverviewPage } from '../pages/overview/overview-page';
import { PageFailure, PageMissing } from './page';
import { Shell } from './shell';

const root = createRootRoute({ component: Shell, notFoundComponent: PageMissing });

const overview = createRoute({ getParentRoute: () => root, path: '/', component: OverviewPage });

// All but the landing page are loaded when they are looked at, or pointed at.
const clusters = createRoute({
  getParentRoute: () => root,
  path: '/pools/$pool/clusters',
  component: lazyRouteComponent(() => import('../pages/clusters/clusters-page'), 'ClustersPage'),
});
const artifacts = createRoute({
  getParentRoute: () => root,
  path: '/pools/$pool/artifacts',
  component: lazyRouteComponent(() => import('../pages/artifacts/artifacts-page'), 'ArtifactsPage'),
});
const refits = createRoute({
  getParentRoute: () => root,
  path: '/pools/$pool/refits',
  component: lazyRouteComponent(() => import('../pages/refits/refits-page'), 'RefitsPage'),
});
const refit = createRoute({
  getParentRoute: () => root,
  path: '/pools/$pool/refits/$refit',
  component: lazyRouteComponent(() => import('../pages/refits/refit-page'), 'RefitPage'),
});
const whatIf = createRoute({
  getParentRoute: () => root,
  path: '/pools/$pool/what-if',
  component: lazyRouteComponent(() => import('../pages/what-if/what-if-page'), 'WhatIfPage'),
});
const workers = createRoute({
  getParentRoute: () => root,
  path: '/pools/$pool/workers',
  component: lazyRouteComponent(() => import('../pages/workers/workers-page'), 'WorkersPage'),
});
const routers = createRoute({
  getParentRoute: () => root,
  path: '/routers',
  component: lazyRouteComponent(() => import('../pages/routers/routers-page'), 'RoutersPage'),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  component: lazyRouteComponent(() => import('../pages/audit/audit-page'), 'AuditPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([overview, clusters, artifacts, refits, refit, whatIf, workers, routers, audit]),
  basepath: routerBasePath,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }) => <PageFailure failure={error} onRetry={reset} />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
