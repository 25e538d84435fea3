import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { sizeBudget } from './scripts/sizeBudget.ts';

export default defineConfig({
  plugins: [react(), tailwind(), sizeBudget()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    outDir: '../src/intelli/_ui',
    emptyOutDir: true,
    rolldownOptions: { input: ['index.html', 'api-docs/index.html'] },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/test-setup.ts'],
    include: ['{src,scripts}/**/*.test.{ts,tsx}'],
    isolate: false,
  },
});
