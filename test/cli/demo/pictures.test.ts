import { describe, expect, test } from 'vitest';
import { fieldChanges, objectNews, resourceNews } from '../../../cli/demo/changes.js';
import { isComplete, isReady } from '../../../cli/demo/scene.js';
import { summaryOf } from '../../../cli/demo/summary.js';
import { tableOf } from '../../../cli/demo/table.js';
import { nextVersion } from '../../../cli/demo/walkthrough.js';
import { ConfigMap, Deployment, Service } from '../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import { givenObject, givenResource } from './given-objects.js';

describe('the difference between two values', () => {
  test.each([
    [[], 'nothing changed', { a: { b: [1] } }, { a: { b: [1] } }],
    [['spec.replicas 3 → 5'], 'a value', { spec: { replicas: 3 } }, { spec: { replicas: 5 } }],
    [['image "a" → "b"'], 'a text', { image: 'a' }, { image: 'b' }],
    [['mine added "yes"'], 'a new field', {}, { mine: 'yes' }],
    [['mine removed'], 'a field that went', { mine: 'yes' }, {}],
    [['labels[a.b/c] removed'], 'a name with a dot', { labels: { 'a.b/c': '1' } }, { labels: {} }],
    [['containers.0.image 1 → 2'], 'an item of a list', { containers: [{ image: 1 }] }, { containers: [{ image: 2 }] }],
    [['list.1 added 2'], 'a longer list', { list: [1] }, { list: [1, 2] }],
    [['a {"b":1} → 2'], 'another type', { a: { b: 1 } }, { a: 2 }],
    [['constructor added 1'], 'a name that every record inherits', {}, JSON.parse('{"constructor":1}')],
    [[`a added "${'x'.repeat(58)}…`], 'a long value', {}, { a: 'x'.repeat(100) }],
  ])('is %j for %s', (expected, _, before, after) => {
    expect(fieldChanges(before, after)).toEqual(expected);
  });
});

describe('an object in a few words', () => {
  test.each<[string, LiveObject]>([
    ['0 files', givenObject('ConfigMap')],
    ['1 file', givenObject('ConfigMap', { data: { a: '' } })],
    [
      '10.0.0.1, port 80, 9090',
      givenObject('Service', { spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }, { port: 9090 }] } }),
    ],
    ['no address yet, port ', givenObject('Service', { spec: {} })],
    ['0 of 3 ready', givenObject('Deployment', { spec: { replicas: 3 } })],
    ['2 of 1 ready', givenObject('Deployment', { spec: {}, status: { readyReplicas: 2 } })],
    ['1 to 10 replicas', givenObject('HorizontalPodAutoscaler', { spec: { maxReplicas: 10 } })],
    ['max unavailable 1', givenObject('PodDisruptionBudget', { spec: { maxUnavailable: 1 } })],
    ['is being deleted', givenObject('ConfigMap', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['', givenObject('Secret')],
    ['', givenObject('constructor')],
  ])('is "%s"', (expected, object) => {
    expect(summaryOf(object)).toBe(expected);
  });
});

describe('the news of an object', () => {
  const three = givenObject('Deployment', { spec: { replicas: 3 } });
  const newer = (fields: object, metadata: object = {}) =>
    givenObject(
      'Deployment',
      { spec: { replicas: 3 }, ...fields },
      { resourceVersion: '2', generation: 7, ...metadata },
    );

  test.each<[readonly string[], string, LiveObject | undefined, LiveObject | undefined]>([
    [['+ Deployment reco  0 of 3 ready'], 'it came', undefined, three],
    [['+ Secret reco'], 'it came, and there is nothing to say of it', undefined, givenObject('Secret')],
    [['- Deployment reco'], 'it went', three, undefined],
    [['~ Deployment reco  spec.replicas 3 → 5'], 'a field changed', three, newer({ spec: { replicas: 5 } })],
    [['~ Deployment reco  metadata.labels added {"a":"b"}'], 'it got labels', three, newer({}, { labels: { a: 'b' } })],
    [
      ['~ Deployment reco  1 of 3 ready'],
      'its status says something new',
      three,
      newer({ status: { readyReplicas: 1 } }),
    ],
    [[], 'its status says the same', three, newer({ status: { observedGeneration: 7 } })],
    [[], 'the fingerprint changed alone', three, newer({}, { annotations: { 'reconstruct.dev/applied': 'a.b' } })],
    [[], 'nothing was ever there', undefined, undefined],
  ])('is %j when %s', (expected, _, before, after) => {
    expect(objectNews({ before, after })).toEqual(expected);
  });
});

describe('the news of a resource', () => {
  const waiting = givenResource(['Ready=False NoReadyReplica: No replica is ready']);
  const ready = givenResource(['Ready=True Ready: Every condition is met']);
  test.each([
    [['+ Algorithm reco'], 'it came', undefined, givenResource([])],
    [['- Algorithm reco'], 'it went', waiting, undefined],
    [['  Ready=True Ready: Every condition is met'], 'a condition changed', waiting, ready],
    [
      ['  Ready=False NoReadyReplica: none of 2 is ready'],
      'the message of a condition changed',
      waiting,
      givenResource(['Ready=False NoReadyReplica: none of 2 is ready']),
    ],
    [
      ['  Ready=Unknown NoReadyReplica: No replica is ready'],
      'the status of a condition changed',
      waiting,
      givenResource(['Ready=Unknown NoReadyReplica: No replica is ready']),
    ],
    [[], 'nothing that it says changed', waiting, { ...waiting }],
    [
      ['~ Algorithm reco  spec.image "registry.example.com/reco:1" → "2"'],
      'it was edited',
      waiting,
      { ...waiting, spec: { image: '2' } },
    ],
    [[], 'nothing was ever there', undefined, undefined],
  ])('is %j when %s', (expected, _, before, after) => {
    expect(resourceNews({ before, after })).toEqual(expected);
  });
});

describe('a scene', () => {
  const accepted = givenResource(['Accepted=True Valid: fine']);
  const objects = [givenObject('ConfigMap'), givenObject('Service')];
  test.each([
    [true, 'an object of each kind is there', accepted, objects],
    [false, 'one is missing', accepted, objects.slice(1)],
    [false, 'the operator has not looked yet', givenResource([]), objects],
    [false, 'the spec is rejected', givenResource(['Accepted=False Invalid: no']), objects],
    [false, 'what was accepted is an older spec', givenResource(['Accepted=True Valid: fine'], {}, 0), objects],
    [false, 'there is no resource', undefined, objects],
  ])('is complete: %s when %s', (expected, _, resource, there) => {
    expect(isComplete({ resource, objects: there }, { owns: [ConfigMap, Service] })).toBe(expected);
    expect(isComplete({ resource, objects: there }, { owns: [ConfigMap, Service, Deployment] })).toBe(false);
  });
});

describe('a resource', () => {
  const ready = ['Ready=True Ready: Every condition is met'];
  test.each([
    [true, 'it says so', givenResource(ready)],
    [false, 'it says no', givenResource(['Ready=False NoReadyReplica: No replica is ready'])],
    [false, 'it says so of an older spec', givenResource(ready, {}, 0)],
    [false, 'the operator has not looked yet', givenResource([])],
    [false, 'it does not exist', undefined],
  ])('is ready: %s when %s', (expected, _, resource) => {
    expect(isReady({ resource })).toBe(expected);
  });
});

test.each([
  ['server:2.1.5', 'server:2.1.4'],
  ['server:v10', 'server:v9'],
  ['example.com:5000/server:2', 'example.com:5000/server:1'],
  ['example.com:5000/server:2', 'example.com:5000/server'],
  ['server:2', 'server'],
])('the next version is %s after %s', (expected, image) => {
  expect(nextVersion(image)).toBe(expected);
});

describe('the table', () => {
  const resource = givenResource(['Accepted=True Valid: fine', 'Ready=False NoReadyReplica: No replica is ready']);
  const objects = [givenObject('ConfigMap'), givenObject('Deployment', { spec: { replicas: 3 } })];

  test('shows the resource, its conditions, its objects and the operator', () => {
    expect(tableOf({ resource, objects }, { pid: 42, starts: 1 })).toEqual([
      'Algorithm reco  Pending  image registry.example.com/reco:1',
      '',
      'CONDITION  STATUS  REASON          MESSAGE',
      'Accepted   True    Valid           fine',
      'Ready      False   NoReadyReplica  No replica is ready',
      '',
      'OBJECT      NAME',
      'ConfigMap   reco  0 files',
      'Deployment  reco  0 of 3 ready',
      '',
      'the operator is process 42',
    ]);
  });

  test.each([
    ['the operator is starting', { pid: 0, starts: 2 }],
    ['the operator is process 43, started 2 times', { pid: 43, starts: 2 }],
  ])('ends with "%s"', (expected, operator) => {
    const table = tableOf({ resource: undefined, objects: [] }, operator);
    expect(table.at(-1)).toBe(expected);
    expect(table[0]).toBe('the resource does not exist');
  });

  test('shows a resource without a status', () => {
    const bare = givenObject('Algorithm');
    expect(tableOf({ resource: bare, objects: [] }, { pid: 1, starts: 1 })[0]).toBe('Algorithm reco');
  });
});
