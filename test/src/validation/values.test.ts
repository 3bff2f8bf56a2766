import { ApiObject, App, Chart, JsonPatch, Lazy } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import {
  Algorithm,
  AlgorithmTrial,
  DatabaseSharedObjects,
  KubeAlgorithm,
  KubeAlgorithmSpecResourcesRequestsMemory,
  KubeDatabase,
  KubeDatabaseBackup,
  KubeDatabaseSpecStorageSize,
} from '../../../src/index.js';

/** The classes, called as JavaScript can call them. */
const classes = { Algorithm, AlgorithmTrial, DatabaseSharedObjects, KubeAlgorithm, KubeDatabase, KubeDatabaseBackup };
type Loose = new (scope: Chart, id: string, props: object) => unknown;

/** The error of an app with one construct, or the empty string. */
function errorOf(kind: keyof typeof classes, props: object): string {
  const app = new App();
  try {
    new (classes[kind] as Loose)(new Chart(app, 'chart', { namespace: 'team' }), 'x', props);
    app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const size = KubeDatabaseSpecStorageSize.fromString('10Gi');
const storage = { size };
const backup = { target: { volume: {} } };
const image = 'server:1';
const gateway = { name: 'gateway' };
const named = (spec: object) => ({ metadata: { name: 'x' }, spec });

describe('synth refuses', () => {
  test.each<[string, keyof typeof classes, object]>([
    ['spec.replicas: Invalid value: -4: must be at least 0', 'KubeAlgorithm', named({ image, replicas: -4 })],
    ['spec.image: Required value', 'KubeAlgorithm', named({})],
    ['spec: Required value', 'KubeAlgorithm', {}],
    ['spec.replica: Unknown field', 'KubeAlgorithm', named({ image, replica: 3 })],
    ['specs: Unknown field', 'KubeAlgorithm', { ...named({ image }), specs: {} }],
    [
      'spec.podTemplate.env: Invalid value: "A=1": must be of type array',
      'KubeAlgorithm',
      named({
        image,
        podTemplate: { env: 'A=1' },
        resources: { requests: { memory: KubeAlgorithmSpecResourcesRequestsMemory.fromString('1Gi') } },
      }),
    ],
    [
      'spec.podTemplate.env[0].nam: Unknown field',
      'KubeAlgorithm',
      named({ image, podTemplate: { env: [{ name: 'A', nam: 'B' }] } }),
    ],
    [
      'spec.resources.requests.memory: Invalid value: "1GB": must be an amount of memory',
      'KubeAlgorithm',
      named({ image, resources: { requests: { memory: KubeAlgorithmSpecResourcesRequestsMemory.fromString('1GB') } } }),
    ],
    [
      'spec.resources.requests.memory: Invalid value: "1Gi": must be an instance of KubeAlgorithmSpecResourcesRequestsMemory; use KubeAlgorithmSpecResourcesRequestsMemory.fromString("1Gi")',
      'KubeAlgorithm',
      named({ image, resources: { requests: { memory: '1Gi' } } }),
    ],
    [
      'spec.config.level: Invalid value: "0o17": must not be a text that kubectl reads as a number',
      'KubeAlgorithm',
      named({ image, config: { level: '0o17' } }),
    ],
    ['spec.resources.gpu: Required value: must be set', 'KubeAlgorithm', named({ image, resources: { gpuCount: 2 } })],
    [
      'metadata.name: Invalid value: "My_Model": must match',
      'KubeAlgorithm',
      { ...named({ image }), metadata: { name: 'My_Model' } },
    ],
    ['spec.replicas: Invalid value: must be at least 1', 'KubeDatabase', named({ storage, backup, replicas: 0 })],
    ['spec.storage.size: Required value', 'KubeDatabase', named({ storage: {}, backup })],
    [
      'spec.storage.size: Invalid value: "10Gi": must be an instance of KubeDatabaseSpecStorageSize',
      'KubeDatabase',
      named({ storage: { size: '10Gi' }, backup }),
    ],
    ['spec.backup: Required value', 'KubeDatabase', named({ storage })],
    [
      'metadata.name: Invalid value: "my.orders": must have up to 40 lower-case letters, digits and -',
      'KubeDatabase',
      { metadata: { name: 'my.orders' }, spec: { storage, backup } },
    ],
    ['spec.database: Required value', 'KubeDatabaseBackup', named({})],
    ['replicas: Invalid value: -4: must be at least 0', 'Algorithm', { image, replicas: -4 }],
    ['image: Required value', 'Algorithm', {}],
    [
      'podTemplate.env: Invalid value: "A=1": must be of type array',
      'Algorithm',
      { image, podTemplate: { env: 'A=1' } },
    ],
    ['resources: Invalid value: 1: must be of type object', 'Algorithm', { image, resources: 1 }],
    ['storage: Required value', 'DatabaseSharedObjects', {}],
    ['backup.target: Required value', 'DatabaseSharedObjects', { storage: { size: '1Gi' }, backup: {} }],
    [
      'replicas: Invalid value: "3": must be of type integer',
      'DatabaseSharedObjects',
      { storage: { size: '1Gi' }, backup, replicas: '3' },
    ],
    [
      'name: Invalid value: "My_Orders": must have up to 40',
      'DatabaseSharedObjects',
      { name: 'My_Orders', storage: { size: '1Gi' }, backup },
    ],
    ['stable.replicas: Invalid value: -1', 'AlgorithmTrial', { stable: { image, replicas: -1 }, gateway }],
    [
      'trial.spec.image: Required value',
      'AlgorithmTrial',
      { stable: { image }, trial: { spec: {}, replicas: 1, weight: 5 }, gateway },
    ],
    [
      'trial.weight: Invalid value: 120',
      'AlgorithmTrial',
      { stable: { image }, trial: { spec: { image }, replicas: 1, weight: 120 }, gateway },
    ],
    [
      'trial.replicas: Invalid value: 0.5',
      'AlgorithmTrial',
      { stable: { image }, trial: { spec: { image }, replicas: 0.5, weight: 5 }, gateway },
    ],
  ])('%s, of a %s', (problem, kind, props) => {
    expect(errorOf(kind, props)).toContain(`[chart/x] ${problem}`);
  });

  test('a value that a patch makes invalid', () => {
    const app = new App();
    const resource = new KubeAlgorithm(new Chart(app, 'chart'), 'x', { spec: { image } });
    resource.addJsonPatch(JsonPatch.replace('/spec/image', 'My Image'));
    expect(() => app.synthYaml()).toThrow('[chart/x] spec.image: Invalid value: "My Image"');
  });
});

describe('synth accepts', () => {
  test.each<[string, keyof typeof classes, object]>([
    [
      'an amount',
      'KubeAlgorithm',
      named({ image, resources: { requests: { memory: KubeAlgorithmSpecResourcesRequestsMemory.fromString('1Gi') } } }),
    ],
    ['undefined and null', 'KubeAlgorithm', named({ image, replicas: undefined, host: null })],
    ['labels', 'KubeAlgorithm', { metadata: { labels: { a: 'b' } }, spec: { image } }],
    ['a value that is produced later', 'KubeAlgorithm', named({ image: Lazy.any({ produce: () => image }) })],
    ['a Database', 'KubeDatabase', named({ storage, backup })],
    ['a backup', 'KubeDatabaseBackup', named({ database: 'orders' })],
    ['a trial', 'AlgorithmTrial', { stable: { image }, trial: { spec: { image }, replicas: 1, weight: 5 }, gateway }],
  ])('%s of a %s', (_, kind, props) => {
    expect(errorOf(kind, props)).toBe('');
  });

  test('resources of other packages', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    new ApiObject(chart, 'x', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
    new ApiObject(chart, 'y', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
    expect(app.synthYaml()).toContain('kind: ConfigMap');
  });
});
