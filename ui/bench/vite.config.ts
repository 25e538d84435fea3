/** The page that `bench/smoothness.py` measures, made of the product's own components. */
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react(), tailwind()],
  resolve: { alias: { '@': fileURLToPath(new URL('../src', import.meta.url)) } },
});
