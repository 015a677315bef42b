import { defineConfig } from 'vitest/config';

// Pages are driven one after the other: a software renderer takes all the processors there are. The explorer has meshes of scenes/ in it.
export default defineConfig({
  server: { fs: { allow: ['..'] } },
  test: { include: ['test/**/*.test.ts'], fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 },
});
