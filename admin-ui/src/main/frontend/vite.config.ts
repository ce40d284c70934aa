import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Where `npm run dev` finds the back end: the mock server of this folder, unless said otherwise. */
const backEnd = process.env['ELDR_ADMIN_URL'] ?? 'http://127.0.0.1:28001';

export default defineConfig({
  // Every address is relative, so that the page works below any path.
  base: './',
  plugins: [react()],
  build: {
    target: 'es2023',
    // Small files would otherwise be inlined as data: addresses, which the content security policy forbids for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    manifest: true,
  },
  server: {
    port: 28000,
    strictPort: true,
    proxy: { '/api': { target: backEnd, changeOrigin: false } },
  },
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'dev/**/*.test.ts'],
  },
});
