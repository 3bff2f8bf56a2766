import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { operatorImage } from '../../src/install/pods.js';
import { type Consumer, givenConsumer } from '../given/consumer.js';

/** The compiler that a project of `cdk8s init` has, of which cdk8s-cli has a copy. */
function olderCompiler(): string {
  const cli = createRequire(resolve('node_modules/cdk8s-cli/package.json'));
  return createRequire(cli.resolve('jsii')).resolve('typescript/bin/tsc');
}

/** The options that `cdk8s init` writes for a TypeScript app. */
function templateOptions(): object {
  const path = 'node_modules/cdk8s-cli/templates/typescript-app/tsconfig.json';
  return { ...JSON.parse(readFileSync(path, 'utf8')).compilerOptions, types: ['node-14'], noEmit: true };
}

let consumer: Consumer;
beforeAll(() => {
  consumer = givenConsumer();
}, 300_000);
afterAll(() => consumer?.remove());

const chart = `
import { App, Chart } from 'cdk8s';
import { Algorithm, KubeAlgorithm, OperatorInstall } from 'cdk8s-reconstruct';
import { type Controller, controllers } from 'cdk8s-reconstruct/operator';
import { kinds } from 'cdk8s-reconstruct/crds';

const app = new App();
const chart = new Chart(app, 'chart', { namespace: 'team' });
const spec = { image: 'server:1', scaling: { maxReplicas: 3 } };
new KubeAlgorithm(chart, 'resource', { metadata: { name: 'run-by-the-operator' }, spec });
const { deployment } = new Algorithm(chart, 'without-an-operator', spec);
deployment.metadata.addLabel('team', 'a');
const mine: readonly Controller[] = controllers;
new OperatorInstall(chart, 'operator', { controllers: mine, namespace: 'operators', watchNamespaces: ['team'] });
if (kinds.length === 0) throw new Error('no kinds');
app.synth();
`;

const wrong = `
import { Chart } from 'cdk8s';
import { Algorithm } from 'cdk8s-reconstruct';

export const bad = (chart: Chart) => [
  // @ts-expect-error a number is no image
  new Algorithm(chart, 'a', { image: 1 }),
  // @ts-expect-error no such field
  new Algorithm(chart, 'b', { image: 'server:1', replica: 3 }),
  // @ts-expect-error a field that it must have is missing
  new Algorithm(chart, 'c', { image: 'server:1', scaling: { minReplicas: 1 } }),
];
`;

/** All that the package declares. */
const declarations = ['', '/operator', '/testing', '/crds']
  .map((path, index) => `export * as all${index} from 'cdk8s-reconstruct${path}';`)
  .join('\n');

const compilerOptions = { target: 'ES2022', module: 'NodeNext', strict: true, types: ['node'] };

describe('the package, installed in another project', () => {
  test('type-checks in a strict project, with its declarations', () => {
    consumer.write('chart.ts', chart);
    consumer.write('wrong.ts', wrong);
    consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['chart.ts', 'wrong.ts'] }));
    expect(consumer.run('node', resolve('node_modules/typescript/bin/tsc'))).toBe('');
  });

  test('declares what the older compiler and types of a project of cdk8s init understand', () => {
    consumer.write('template/package.json', '{}');
    consumer.write('template/index.ts', declarations);
    consumer.write(
      'template/tsconfig.json',
      JSON.stringify({ compilerOptions: templateOptions(), files: ['index.ts'] }),
    );
    expect(consumer.run('node', olderCompiler(), '-p', 'template')).toBe('');
  });

  test('has the same exports for require and import', () => {
    const code = `
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const names = (exports) => Object.keys(exports).sort();
      const modules = ['', '/operator', '/testing', '/crds'].map((path) => 'cdk8s-reconstruct' + path);
      const required = modules.map((module) => names(require(module)));
      const imported = (await Promise.all(modules.map((module) => import(module)))).map(names);
      console.log(JSON.stringify({ required, imported }));
    `;
    consumer.write('exports.mjs', code);
    const { required, imported } = JSON.parse(consumer.run('node', 'exports.mjs'));
    expect(required).toEqual(imported);
    expect(required.map((names: readonly string[]) => names.length > 3)).toEqual([true, true, true, true]);
  });

  test('recognizes a RejectedError of either build', () => {
    const code = `
      import { createRequire } from 'node:module';
      import { RejectedError } from 'cdk8s-reconstruct/operator';
      const other = createRequire(import.meta.url)('cdk8s-reconstruct/operator').RejectedError;
      console.log(other !== RejectedError, new other('No', 'no') instanceof RejectedError, new Error() instanceof RejectedError);
    `;
    consumer.write('rejected.mjs', code);
    expect(consumer.run('node', 'rejected.mjs')).toBe('true true false\n');
  });

  test('synthesizes a resource, its objects without an operator, and an operator', () => {
    consumer.run('node', 'chart.js');
    const text = readFileSync(join(consumer.folder, 'dist', 'chart.k8s.yaml'), 'utf8');
    const objects = parseAllDocuments(text).map((document) => document.toJS());
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'Algorithm team/run-by-the-operator',
        'Deployment team/without-an-operator',
        'HorizontalPodAutoscaler team/without-an-operator',
        'CustomResourceDefinition -/algorithms.ai.alien6.io',
        'Role team/reconstruct',
        'Deployment operators/reconstruct',
      ]),
    );
    const own = objects.find(
      ({ metadata }) => metadata.name === 'without-an-operator' && metadata.labels?.team === 'a',
    );
    expect(own?.kind).toBe('Deployment');
  });

  test('has a command', () => {
    expect(consumer.run('reconstruct', '--help')).toMatch(/^Usage: reconstruct /);
  });

  test('says in one line which package an import lacks', () => {
    const definitions = 'node_modules/cdk8s-reconstruct/dist/0000-crds.k8s.yaml';
    expect(() => consumer.run('reconstruct', 'import', definitions)).toThrow(
      /failed:\nreconstruct: [\w-]+ is not installed; run npm install --save-dev [\w-]+\n$/,
    );
  });
});

describe('the tarball', () => {
  const compiled =
    /^build\/((commonjs\/)?(crds|imports|src|operator)|cli|commonjs\/_virtual)\/.+\.(js|js\.map|d\.ts)$|^build\/commonjs\/package\.json$/;
  const others = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/0000-crds.k8s.yaml',
    'dist/0001-operator.k8s.yaml',
    'dist/examples/construct.k8s.yaml',
    'dist/examples/resource.k8s.yaml',
    'dist/gateway/0000-definitions.k8s.yaml',
    'dist/gateway/0001-class.k8s.yaml',
    'operator/testing/kubernetes/go.mod',
    'operator/testing/kubernetes/go.sum',
    'operator/testing/kubernetes/main.go',
    'package.json',
  ];

  test('has compiled code, what a cluster needs, the Go module, and nothing else', () => {
    expect(consumer.packed.filter((path) => !compiled.test(path))).toEqual(others);
  });

  test('has every file that package.json names', () => {
    const { bin, exports, main, types, typesVersions } = JSON.parse(readFileSync('package.json', 'utf8'));
    const targets = leaves([bin, exports, main, types, typesVersions]);
    expect(targets.length).toBeGreaterThan(20);
    const missing = targets.filter(
      (path) => !existsSync(join(consumer.folder, 'node_modules/cdk8s-reconstruct', path)),
    );
    expect(missing).toEqual([]);
  });
});

/** The texts in a value. */
function leaves(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves);
}

test('the image that is installed is of the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(operatorImage).toMatch(new RegExp(`:${version.replaceAll('.', '\\.')}$`));
});
