import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@/styles/app.css';
import type { Contract } from './contract';
import { Manual } from './Manual';

const TIMEOUT_MS = 15_000;

async function show(place: HTMLElement): Promise<void> {
  const response = await fetch('/api/openapi.json', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const contract = (await response.json()) as Contract;
  createRoot(place).render(
    <StrictMode>
      <Manual contract={contract} />
    </StrictMode>,
  );
}

const place = document.getElementById('root');
if (place) {
  show(place).catch(() => {
    place.textContent = 'The server does not hand out its contract right now. Reload the page to try again.';
  });
}
