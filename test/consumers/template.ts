import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, type Project, projectIn } from '../given/consumer.js';

const template = 'node_modules/cdk8s-cli/templates/typescript-app';

/** The values that `cdk8s init` puts into its templates. */
const values: Readonly<Record<string, () => string>> = {
  $base: () => 'app',
  cdk8s_core_version: () => installed('cdk8s'),
  cdk8s_plus_version: () => installed('cdk8s-plus-33'),
  constructs_version: () => installed('constructs'),
  cdk8s_cli_spec: () => `^${installed('cdk8s-cli')}`,
};

/**
 * The project that `cdk8s init typescript-app` creates, with its packages. The command itself ends with an import of the
 * Kubernetes API from the internet, which no app with this package needs.
 * @param others more packages for development, by name
 */
export function templateIn(folder: string, others: Readonly<Record<string, string>>): Project {
  const app = projectIn(folder);
  for (const file of ['tsconfig.json', 'jest.config.js']) app.write(file, templateFile(file));
  const manifest = JSON.parse(templateFile('package.json'));
  const devDependencies = { ...manifest.devDependencies, ...others };
  app.write('package.json', JSON.stringify({ ...manifest, devDependencies }));
  app.write('cdk8s.yaml', 'language: typescript\napp: npx ts-node main.ts\n');
  app.run('npm', 'install', '--prefer-offline', '--no-audit');
  return app;
}

function templateFile(name: string): string {
  const text = readFileSync(join(template, name), 'utf8');
  return text.replaceAll(/\{\{\s*(\S+)\s*\}\}/g, (_, value: string) => values[value]?.() ?? value);
}

/** An app with the constructs and resources of the package, beside those of another cdk8s-plus. */
export const main = `
import { App, Chart, ChartProps } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-33';
import { Algorithm, KubeAlgorithm, KubeDatabase, KubeDatabaseSpecStorageSize, OperatorInstall } from 'cdk8s-reconstruct';
import { kinds } from 'cdk8s-reconstruct/crds';
import { algorithmControllers, type Controller } from 'cdk8s-reconstruct/operator';
import { Construct } from 'constructs';

export class MyChart extends Chart {
  constructor(scope: Construct, id: string, props: ChartProps = {}) {
    super(scope, id, props);
    const algorithm = new Algorithm(this, 'translator', { image: 'registry.example.com/translator:1.0.0' });
    new Deployment(this, 'web', { containers: [{ image: 'registry.example.com/web:1.0.0' }] }).node.addDependency(algorithm);
    new KubeAlgorithm(this, 'reco', { metadata: { name: 'reco' }, spec: { image: 'registry.example.com/reco:2.1.4' } });
    new KubeDatabase(this, 'orders', {
      metadata: { name: 'orders' },
      spec: { storage: { size: KubeDatabaseSpecStorageSize.fromString('10Gi') }, backup: { target: { volume: {} } } },
    });
    const controllers: readonly Controller[] = algorithmControllers;
    new OperatorInstall(this, 'operator', { controllers });
    if (kinds.length === 0) throw new Error('no kinds');
  }
}

const app = new App();
new MyChart(app, 'app', { namespace: 'team' });
app.synth();
`;

/** The test of the template, and one for an invalid value. */
export const mainTest = `
import { KubeAlgorithm } from 'cdk8s-reconstruct';
import { Testing } from 'cdk8s';
import { MyChart } from './main';

test('the manifests', () => {
  expect(Testing.synth(new MyChart(Testing.app(), 'test-chart'))).toMatchSnapshot();
});

test('an invalid value', () => {
  const chart = Testing.chart();
  new KubeAlgorithm(chart, 'x', { spec: { image: 'server:1', replicas: -4 } });
  expect(() => Testing.synth(chart)).toThrow('[test/x] spec.replicas: Invalid value: -4');
});
`;

/** What an author of an operator and of its tests imports, and props that the types refuse. */
export const operator = `
import { Chart } from 'cdk8s';
import { Algorithm } from 'cdk8s-reconstruct';
import { type Controller, defineController, memberRules, planMembers, RejectedError, runProcess } from 'cdk8s-reconstruct/operator';
import { ControlPlane, controllerContract, FaultProxy, MemoryCluster, simulation, statefulContract } from 'cdk8s-reconstruct/testing';

export const used = [ControlPlane, controllerContract, FaultProxy, MemoryCluster, simulation, statefulContract];
export const engine = [memberRules({ isHealthy: ({ isReady }) => isReady }), planMembers];
export const made = (controller: Controller) => [defineController, RejectedError, runProcess([controller])];
export const bad = (chart: Chart) => [
  // @ts-expect-error a number is no image
  new Algorithm(chart, 'a', { image: 1 }),
  // @ts-expect-error no such field
  new Algorithm(chart, 'b', { image: 'server:1', replica: 3 }),
];
`;
