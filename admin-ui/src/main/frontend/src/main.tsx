import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/controls.css';
import './styles/content.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { whenSessionIsOver } from './api/client';
import { shouldRetry } from './api/queries';
import { App } from './app/app';
import { applyTheme } from './app/preferences';
import { sessionQuery } from './app/session';

applyTheme();

const client = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, staleTime: 2_000 }, mutations: { retry: false } },
});
whenSessionIsOver(() => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }));

const root = document.getElementById('root');
if (root === null) {
  throw new Error('The page has no element to live in.');
}
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
