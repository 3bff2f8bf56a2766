import { readFileSync } from 'node:fs';
import { type PageCommand, wordsOf } from './page-commands.js';

/** The page whose commands build an operator from an empty folder. */
export const tutorial = 'docs/first-operator.md';

/** A reason why no test runs a command. */
export interface Exception {
  /** The beginning of the command, as on the page. */
  readonly command: string;
  readonly because: string;
}

const registry = 'needs a registry';
const builder = 'needs a container builder; test/images builds the images of the project';
const packages =
  'installs packages; test/consumers/installed.consumer.test.ts installs the same archive in an empty folder';
const kind = 'needs Docker and kind; .ci/on-real-pods runs the same tests on a cluster of its own';
const pods = 'needs an answer from a running Pod; the end-to-end tests ask the same Pods';
const sdk = 'needs packages that the project does not install; test/operator/telemetry/spans.test.ts uses the same API';
const peer = 'measures another operator, which is built from its own sources';

/** The commands that no test runs. Everything else on a page is run, or its arguments are checked. */
export const exceptions: readonly Exception[] = [
  { command: 'docker push registry.example.com/website-operator:0.1.0', because: registry },
  { command: 'docker build --tag registry.example.com/website-operator:0.1.0 .', because: builder },
  { command: 'docker build --build-arg VERSION=1.2.0 examples/algorithm-server', because: builder },
  {
    command: 'cdk8s import dist/0000-crds.k8s.yaml',
    because: 'needs Python; test/consumers imports the same file for TypeScript',
  },
  { command: 'npm init -y', because: packages },
  { command: 'npm pkg set', because: packages },
  { command: 'npm pack', because: packages },
  { command: 'npm install ./cdk8s-reconstruct-0.1.0.tgz', because: packages },
  { command: 'npm install --save-dev', because: packages },
  { command: 'npm link', because: 'changes the programs of the machine' },
  { command: 'npm install @opentelemetry/sdk-trace-node', because: sdk },
  { command: 'node --import ./tracing.mjs', because: sdk },
  { command: 'node --cpu-prof', because: 'profiles until it is stopped' },
  {
    command: 'node build/main.js --leader-elect',
    because: 'is the entry point of an image; test/operator/process checks the flags',
  },
  {
    command: 'KUBECONFIG=FILE npm run operator',
    because: 'runs until it is stopped; test/acceptance runs the same program',
  },
  { command: 'npx biome check --write .', because: 'rewrites sources; npm test runs biome without --write' },
  { command: '.ci/', because: 'runs for an hour, and runs all tests itself' },
  { command: 'kind create cluster', because: kind },
  { command: 'export KUBECONFIG=$PWD/kind.kubeconfig', because: kind },
  { command: 'RECONSTRUCT_IMAGE_LOADER=', because: kind },
  { command: 'RECONSTRUCT_NODE_POWER=', because: kind },
  { command: 'curl ', because: pods },
  { command: 'wget ', because: pods },
  { command: 'git diff ', because: 'shows the difference that the command before it made' },
  { command: 'export KUBEBUILDER_ASSETS=', because: 'downloads the programs of a control plane' },
  { command: 'node --test', because: 'runs the tests of a reader' },
  { command: 'patch -p1', because: peer },
  { command: 'go build -o peer-same', because: peer },
  { command: 'bench -pair', because: peer },
  { command: 'echo \'{"lifecycle": null}\'', because: peer },
];

/** The plug-in of kubectl, whose commands are those of this package. */
const plugin = 'kubectl reconstruct ';

/** Whether a command changes or reads the cluster, so that kubectl-commands.integration.test.ts runs it. */
export const isKubectl = ({ page, text }: PageCommand) =>
  page !== tutorial && !text.startsWith(plugin) && /^(\w+="?\$\((kubectl|date) |kubectl )/.test(text);

/** The page whose commands install a release with Helm. */
export const helmPage = 'docs/operator/helm.md';

/** Whether it is a command of that page, which a test runs with Helm. */
export const isHelm = ({ page, text }: PageCommand) => page === helmPage && text.startsWith('helm ');

/** Whether it is part of the tutorial, which the same file of tests walks through. */
export const isInTutorial = ({ page, text }: PageCommand) =>
  page === tutorial && /^(npx|node|kubectl) /.test(text) && !text.includes('reconstruct run'); // which runs until it is stopped

/** The arguments of the `reconstruct` command. @returns undefined for another command */
export function reconstructArguments({ text }: PageCommand): readonly string[] | undefined {
  const words = wordsOf(text);
  const command = ['npx reconstruct', 'reconstruct', plugin.trim(), 'node build/cli/main.js'].find((one) =>
    `${text} `.startsWith(`${one} `),
  );
  return command === undefined ? undefined : words.slice(command.split(' ').length);
}

/** A script of package.json with its arguments. @returns undefined for another command */
export function scriptArguments({
  text,
}: PageCommand): { readonly script: string; readonly args: readonly string[] } | undefined {
  const [npm, verb = '', ...rest] = wordsOf(text);
  if (npm !== 'npm' || !['run', 'test', 'start'].includes(verb)) return undefined;
  const [script = '', separator, ...args] = verb === 'run' ? rest : [verb, ...rest];
  return { script, args: separator === undefined || separator === '--' ? args : [separator, ...args] };
}

/** The arguments of vitest and of the compiler. @returns undefined for another command */
export function npxArguments({ text }: PageCommand): readonly string[] | undefined {
  const [npx, program, ...args] = wordsOf(text);
  return npx === 'npx' && (program === 'vitest' || program === 'tsc') ? [program, ...args] : undefined;
}

const ci = readFileSync('.ci/run', 'utf8');

/** Whether `.ci/run` runs it. It installs only the Debian packages that the machine lacks. */
export function isOfCi({ text }: PageCommand): boolean {
  const [, debianPackages] = /^apt-get install (.+)$/.exec(text) ?? [];
  if (debianPackages !== undefined) return ci.includes(`in ${debianPackages};`);
  return ci.split('\n').some((line) => line === text || line.startsWith(`${text} `));
}

/** A test, and the commands that it runs or checks. */
export interface Proof {
  readonly test: string;
  readonly covers: (command: PageCommand) => boolean;
}

export const proofs: readonly Proof[] = [
  { test: 'test/commands/kubectl-commands.integration.test.ts', covers: (one) => isKubectl(one) || isInTutorial(one) },
  { test: 'test/commands/program-flags.test.ts', covers: (one) => reconstructArguments(one) !== undefined },
  { test: 'test/commands/program-flags.test.ts', covers: (one) => scriptArguments(one) !== undefined },
  { test: 'test/commands/program-flags.test.ts', covers: (one) => npxArguments(one) !== undefined },
  {
    test: 'test/cli/completion/shells.integration.test.ts',
    covers: ({ text }) => text.startsWith('source <(reconstruct completion '),
  },
  { test: 'test/commands/node-power.test.ts', covers: ({ text }) => text.startsWith('set -e\n') },
  { test: 'test/chart/release.chart.test.ts', covers: isHelm },
  { test: '.ci/run', covers: isOfCi },
];

/** Why no test runs a command. @returns undefined if a test must run it */
export const exceptionOf = ({ text }: PageCommand) => exceptions.find(({ command }) => text.startsWith(command));
