import { defineConfig } from 'vitest/config';
import { underKills } from './test/e2e/cluster/kill-mode.js';

/** While leaders are killed, nobody leads for most of the time. */
const patience = underKills ? 4 : 1;

// A file of its own, so that no other run finds these tests: they install the operator on whatever KUBECONFIG names.
export default defineConfig({
  test: {
    name: 'e2e',
    include: ['test/e2e/**/*.e2e.ts'],
    globalSetup: ['test/e2e/cluster/operator.setup.ts'],
    fileParallelism: false,
    testTimeout: patience * 300_000,
    hookTimeout: patience * 240_000,
  },
});
