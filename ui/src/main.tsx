import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followSession } from './app/followSession';
import { createQueries } from './app/queries';
import { createAppRouter } from './app/router';
import { applyTheme, followTheme } from './app/theme';
import './styles/app.css';

const queries = createQueries();
const router = createAppRouter(queries);

applyTheme();
followTheme();
followSession(queries, router);

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
