import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { operatorImage } from '../src/install/pods.js';
import { type Consumer, givenConsumer } from './given/consumer.js';

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

function tsconfig(skipLibCheck: boolean): string {
  const compilerOptions = { target: 'ES2022', module: 'NodeNext', strict: true, skipLibCheck, types: ['node'] };
  return JSON.stringify({ compilerOptions, files: ['chart.ts', 'wrong.ts'] });
}

describe('the package, installed in another project', () => {
  test.each([
    ['without the declarations of packages', true],
    ['with the declarations of packages', false],
  ])('type-checks in a strict project, %s', (_, skipLibCheck) => {
    consumer.write('chart.ts', chart);
    consumer.write('wrong.ts', wrong);
    consumer.write('tsconfig.json', tsconfig(skipLibCheck));
    expect(consumer.run('tsc', '--noEmit')).toBe('');
  });

  test('synthesizes a resource, its objects without an operator, and an operator', () => {
    consumer.write('chart.ts', chart);
    consumer.write('wrong.ts', wrong);
    consumer.write('tsconfig.json', tsconfig(true));
    consumer.run('tsc');
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
  const compiled = /^build\/(crds|imports|src|operator|cli)\/.+\.(js|js\.map|d\.ts)$/;
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
    const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
    const targets = [
      ...Object.values(bin),
      ...Object.values(exports).flatMap((entry) =>
        typeof entry === 'string' ? entry : Object.values(entry as object),
      ),
    ];
    const missing = targets.filter(
      (path) => !existsSync(join(consumer.folder, 'node_modules/cdk8s-reconstruct', String(path))),
    );
    expect(missing).toEqual([]);
  });
});

test('the image that is installed is of the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(operatorImage).toMatch(new RegExp(`:${version.replaceAll('.', '\\.')}$`));
});
