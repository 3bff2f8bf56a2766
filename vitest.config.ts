import { defineConfig } from 'vitest/config';
import { FileTimes } from './test/runner/file-times.js';
import { LongestFirst } from './test/runner/longest-first.js';

const integration = 'test/**/*.integration.test.ts';
const engine = 'test/**/*.engine.test.ts';
/** Processes that are killed, frozen or cut off, for minutes; what cuts them off; and the control plane of the test kit. */
const failures = [
  'test/failures/*.integration.test.ts',
  'test/operator/testing/{faults,nodes}/*.integration.test.ts',
  'test/operator/testing/control-plane/cluster-access.integration.test.ts',
];
/** The commands of the pages, on a control plane: a minute of CPU, most of it in kubectl. */
const pages = 'test/commands/*.integration.test.ts';
/** Whole runs of `reconstruct`, most of them with a control plane of their own. */
const cli = 'test/cli/**/*.integration.test.ts';
/**
 * Algorithms with a lifecycle in real time, with minutes of trials and a server with thousands of routes; Databases with
 * their backups; and both under quotas, with nodes. On control planes of their own.
 */
const lifecycles = [
  'test/acceptance/quota.integration.test.ts',
  'test/acceptance/lifecycle-counts.integration.test.ts',
  'test/operator/controllers/database/{,backup-schedule/}*.integration.test.ts',
  'test/operator/controllers/algorithm/trial/trial.integration.test.ts',
];
/** Whose commit plays few histories of many, see `test/simulation/seeds.ts`. */
const histories = [
  'test/operator/controllers/*/*{contract,simulation}.test.ts',
  'test/operator/controllers/database/backup-schedule/contract.test.ts',
  'test/operator/controllers/kafka/restarts/killed-operator.test.ts',
  'test/operator/testing/simulation/{bugs,simulation}.test.ts',
];
/** Contracts that play the same histories in each commit as in `npm run histories`. */
const withoutMore = ['test/operator/controllers/{algorithm,database}/contract.test.ts'];
/** Hundreds of trials of the judgement of versions, whose numbers are those of its page: a quarter of a minute. */
const judgement = 'test/operator/controllers/algorithm/judgement/simulation.test.ts';
/** Projects that install the package, with several releases of Node.js: minutes, most of them for npm. */
const consumers = 'test/consumers/*.consumer.test.ts';
/** A whole kind, added to a copy of the repository: a minute, most of it for types. */
const newKind = 'test/new-kind/*.kind.test.ts';

/** The Helm chart, rendered and installed by Helm, which is compiled once: half a minute. */
const chart = 'test/chart/*.chart.test.ts';

/** Files that replace a module for themselves: where others ran before, it is loaded already. */
const isolated = ['test/operator/telemetry/disabled-tracing.test.ts'];
const isolatedIntegration = ['test/crds/refusals.integration.test.ts'];
const isolatedFailures = ['test/operator/testing/control-plane/control-plane.integration.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/runner/build.setup.ts'],
    maxWorkers: 2,
    reporters: ['default', new FileTimes(process.env['RECONSTRUCT_TEST_TIMES'])],
    sequence: { sequencer: LongestFirst },
    // Nothing is timed: a machine that does other things too takes four times as long, and what hangs still ends.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [integration, engine, consumers, newKind, chart, judgement, ...isolated],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'unit-isolated', include: isolated } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [integration],
          exclude: [...failures, ...isolatedFailures, ...lifecycles, pages, cli, ...isolatedIntegration],
          isolate: false,
          globalSetup: ['test/runner/control-plane.setup.ts'],
        },
      },
      { extends: true, test: { name: 'integration-isolated', include: isolatedIntegration } },
      // `.ci/run` tries these where the runtime was changed.
      {
        extends: true,
        test: {
          name: 'failures',
          include: failures,
          isolate: false,
          globalSetup: ['test/runner/control-plane.setup.ts'],
        },
      },
      { extends: true, test: { name: 'failures-isolated', include: isolatedFailures } },
      // `.ci/run` tries these where Algorithms, their routes, Databases or the runtime were changed.
      {
        extends: true,
        test: {
          name: 'lifecycles',
          include: lifecycles,
          isolate: false,
          globalSetup: ['test/runner/control-plane.setup.ts'],
        },
      },
      // `.ci/run` tries these where a controller, the runtime or the simulation was changed.
      {
        extends: true,
        test: {
          name: 'histories',
          include: [...histories, judgement],
          exclude: withoutMore,
          env: { RECONSTRUCT_HISTORIES: 'all' },
          isolate: false,
        },
      },
      // `.ci/run` tries these where a page or the CLI was changed.
      {
        extends: true,
        test: {
          name: 'pages',
          include: [pages],
          isolate: false,
          globalSetup: ['test/runner/control-plane.setup.ts'],
        },
      },
      // `.ci/run` tries these where the CLI, or what it starts, was changed.
      {
        extends: true,
        test: {
          name: 'cli',
          include: [cli],
          isolate: false,
          globalSetup: ['test/runner/control-plane.setup.ts'],
        },
      },
      // `.ci/run` tries these where the package was changed.
      { extends: true, test: { name: 'consumers', include: [consumers] } },
      // `.ci/run` tries this where a list of kinds, a generator or a check of all kinds was changed.
      { extends: true, test: { name: 'new-kind', include: [newKind] } },
      // `.ci/run` tries these where the chart, or what it installs, was changed.
      { extends: true, test: { name: 'chart', include: [chart], isolate: false } },
      // What the programs of an image do over minutes: `.ci/run` tries it where the image or its kind was changed.
      { extends: true, test: { name: 'engine', include: [engine] } },
    ],
  },
});
