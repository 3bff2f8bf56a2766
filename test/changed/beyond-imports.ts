/** Tests that a change can break though they do not import what was changed. */
interface Reach {
  /** How they reach it. */
  readonly by: string;
  /** Paths from the root, or beginnings of them. */
  readonly changed: readonly string[];
  /** Files of tests, or folders of them. */
  readonly tests: readonly string[];
}

const compiled = ['crds/', 'imports/', 'src/', 'operator/', 'cli/'];

/** Each row is a way around the imports; what follows from imports, vitest knows. */
export const beyondImports: readonly Reach[] = [
  {
    by: 'reading the sources',
    changed: [...compiled, 'test/', 'examples/', 'docs/'],
    tests: [
      ...['architecture.test.ts', 'folders.test.ts', 'guarantees/', 'ci/', 'runner/', 'walk/'].map(
        (name) => `test/${name}`,
      ),
      'test/operator/controllers/etcd/size.test.ts',
      'test/operator/controllers/condition-reasons.test.ts',
      'test/operator/runtime/ports/port-names.test.ts',
    ],
  },
  {
    by: 'reading the pages, and compiling what they show',
    changed: ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/', 'examples/', 'package.json', ...compiled],
    tests: ['test/docs.test.ts', 'test/docs/', 'test/commands/', 'test/monitoring/', 'test/examples.test.ts'],
  },
  { by: 'listing the folders of engines', changed: ['operator/engines/'], tests: ['test/operator/engines/'] },
  { by: 'rendering the examples', changed: ['examples/'], tests: ['test/rendered/'] },
  {
    by: 'starting the compiled command',
    changed: ['cli/', 'operator/cluster/', 'operator/config/', 'operator/process/'],
    tests: ['test/cli/'],
  },
  {
    by: 'comparing what is generated with what is committed',
    changed: [
      ...['crds/', 'src/', 'imports/', 'dist/', 'examples/', 'cli/'],
      ...['docs/reference/', 'docs/monitoring/'],
    ],
    tests: [
      'test/cli/synth.test.ts',
      'test/cli/generate.test.ts',
      'test/cli/reference.test.ts',
      'test/cli/synth.integration.test.ts',
    ],
  },
  {
    by: 'rendering and installing the chart with Helm',
    changed: ['dist/', 'docs/operator/helm.md', 'test/chart/'],
    tests: ['test/chart/'],
  },
  {
    by: 'starting the compiled operator',
    changed: [
      'operator/runtime/',
      'operator/cluster/',
      'operator/controllers/',
      'operator/telemetry/',
      'operator/process/',
    ],
    tests: ['test/acceptance/'],
  },
  {
    by: 'planting bugs in the compiled code',
    changed: ['operator/runtime/', 'operator/testing/', 'operator/controllers/', 'test/simulation/'],
    tests: ['test/operator/testing/simulation/'],
  },
  {
    by: 'comparing the types of Kubernetes with the list of omitted fields',
    changed: ['operator/testing/kubernetes/'],
    tests: ['test/operator/runtime/fields/'],
  },
  {
    by: 'running the operator of the tutorial',
    changed: ['docs/first-operator.md'],
    tests: ['test/acceptance/tutorial-restart.integration.test.ts'],
  },
  {
    by: 'starting the compiled control plane',
    changed: ['operator/testing/'],
    tests: [
      'test/operator/testing/control-plane/guarded-process.test.ts',
      'test/operator/testing/control-plane/control-plane.integration.test.ts',
    ],
  },
  {
    by: 'installing the package',
    changed: [
      'package.json',
      'package-lock.json',
      'tsconfig',
      'rolldown.config.ts',
      'src/index.ts',
      'operator/index.ts',
      'operator/testing/index.ts',
      'crds/index.ts',
    ],
    tests: ['test/consumers/'],
  },
  { by: 'running the programs of an image', changed: ['images/', 'src/database/'], tests: ['test/images/'] },
  { by: 'reading image.json beside each Dockerfile', changed: ['examples/', 'test/e2e/'], tests: ['test/images/'] },
  {
    by: 'loading the files of systems that the folders list',
    changed: ['test/acceptance/quota/', 'test/acceptance/rights/', 'test/commands/given/'],
    tests: [
      'test/acceptance/quota.integration.test.ts',
      'test/acceptance/rights.integration.test.ts',
      'test/commands/',
    ],
  },
  ...['test/compare/', 'test/kills/', 'test/rendered/', 'test/simulation/', 'test/upgrade/'].map((folder) => ({
    by: 'loading the files of systems that the folder lists',
    changed: [folder],
    tests: [folder, 'test/commands/program-flags.test.ts'],
  })),
  { by: 'reading them', changed: ['.ci/', 'test/e2e/'], tests: ['test/ci/'] },
  {
    by: 'being run by it',
    changed: ['vitest.config.ts', 'test/runner/build.setup.ts', 'test/runner/control-plane.setup.ts'],
    tests: ['test/'],
  },
];

/** The tests, or folders of tests, that changes can break beside what imports them. */
export function reachedBy(changes: readonly string[]): readonly string[] {
  const reached = beyondImports.filter(({ changed }) =>
    changes.some((path) => changed.some((beginning) => path.startsWith(beginning))),
  );
  return [...new Set(reached.flatMap(({ tests }) => tests))];
}
