import { defineConfig } from 'vitest/config';

// A file of its own, so that no other run finds these tests: they install the operator on whatever KUBECONFIG names.
export default defineConfig({
  test: {
    name: 'e2e',
    include: ['test/e2e/**/*.e2e.ts'],
    globalSetup: ['test/e2e/cluster/operator.setup.ts'],
    fileParallelism: false,
    testTimeout: process.env['RECONSTRUCT_E2E_KILLS'] === 'true' ? 1_200_000 : 300_000,
    hookTimeout: 120_000,
  },
});
