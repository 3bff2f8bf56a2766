import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { Algorithm, GatewayProxies, KubeAlgorithm } from '../../../src/index.js';
import { renderedAlgorithm, renderedInOperator } from '../given-rendered.js';

const image = 'server:1';
const spec = { image };

/** An app with the constructs that a function adds to its chart. */
function appOf(add: (chart: Chart, app: App) => void): App {
  const app = new App();
  add(new Chart(app, 'chart', { namespace: 'team' }), app);
  return app;
}

describe('two constructs of one chart with the same object are refused', () => {
  test.each<[string, (chart: Chart) => void]>([
    [
      '[chart] chart/a and chart/b must not both define ConfigMap team/reco, Service team/reco, Deployment team/reco, PodDisruptionBudget team/reco; set another name or namespace for one of them',
      (chart) => {
        new Algorithm(chart, 'a', { image, name: 'reco' });
        new Algorithm(chart, 'b', { image, name: 'reco' });
      },
    ],
    [
      '[chart] chart/a and chart/b must not both define Algorithm team/reco; set',
      (chart) => {
        new KubeAlgorithm(chart, 'a', { metadata: { name: 'reco' }, spec });
        new KubeAlgorithm(chart, 'b', { metadata: { name: 'reco' }, spec });
      },
    ],
    [
      '[chart] chart/a and chart/b must not both define Deployment team/reco; set',
      (chart) => {
        new ApiObject(chart, 'a', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'reco' } });
        new Algorithm(chart, 'b', { image, name: 'reco' });
      },
    ],
    [
      '[chart] chart/a and chart/b must not both define ServiceAccount',
      (chart) => {
        new GatewayProxies(chart, 'a');
        new GatewayProxies(chart, 'b');
      },
    ],
  ])('%s', (problem, add) => {
    expect(() => appOf(add).synthYaml()).toThrow(problem);
  });

  test.each<[string, (chart: Chart, app: App) => void]>([
    [
      'namespaces',
      (chart) => {
        new Algorithm(chart, 'a', { image, name: 'reco' });
        new Algorithm(chart, 'b', { image, name: 'reco', namespace: 'other' });
      },
    ],
    [
      'charts, which can be for two clusters',
      (chart, app) => {
        new Algorithm(chart, 'a', { image, name: 'reco' });
        new Algorithm(new Chart(app, 'other', { namespace: 'team' }), 'a', { image, name: 'reco' });
      },
    ],
    [
      'kinds',
      (chart) => {
        new Algorithm(chart, 'a', { image, name: 'reco' });
        new KubeAlgorithm(chart, 'b', { metadata: { name: 'reco' }, spec });
      },
    ],
  ])('but not in two %s', (_, add) => {
    expect(appOf(add).synthYaml()).toContain('name: reco');
  });
});

describe('a name that would have to be changed', () => {
  const suggested = (name: string, label: string) =>
    `[chart/${name}] name: Invalid value: "${name}": must be a lower-case RFC 1035 label of at most 63 characters, because it names a Service; set name to a label, such as "${label}"`;

  test.each([
    ['My_Model', suggested('My_Model', 'my-model')],
    ['v1.2', suggested('v1.2', 'v1-2')],
    ['r'.repeat(64), suggested('r'.repeat(64), 'r'.repeat(63))],
    [
      'reco-x0123456789ab',
      '[chart/reco-x0123456789ab] name: Invalid value: "reco-x0123456789ab": must not end with -x and 12 hexadecimal digits',
    ],
  ])('%s is refused by synth', (name, problem) => {
    expect(() => renderedAlgorithm(name)).toThrow(problem);
  });

  test('can be the id of a construct with a name', () => {
    expect(renderedAlgorithm('My_Model', { name: 'my-model' })[0]?.metadata.name).toBe('my-model');
  });

  test('is a name that the API server accepted in the operator', () => {
    expect(renderedInOperator('v1.2')[0]?.metadata.name).toMatch(/^v1-2-x[0-9a-f]{12}$/);
  });
});
