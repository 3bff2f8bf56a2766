import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Two cores: a control plane and its tests are one heavy thing already.
    fileParallelism: false,
    // Nothing is timed: a machine that does other things too takes four times as long, and what hangs still ends.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/**/*.integration.test.ts'] },
      },
      {
        // The tests of this project share one control plane, which only starts when one of them runs.
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.integration.test.ts'],
          globalSetup: ['test/control-plane.setup.ts'],
        },
      },
    ],
  },
});
