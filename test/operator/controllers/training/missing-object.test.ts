import { describe, expect, test } from 'vitest';
import { now } from './given-training.js';
import { assessed } from './given-view.js';

const mounts = (name: string) => [{ name, mountPath: '/data' }];
const mounted = (source: object) => ({ volumes: [{ name: 'data', ...source }], volumeMounts: mounts('data') });
const projected = (...sources: readonly object[]) => mounted({ projected: { sources } });
const variable = (valueFrom: object) => ({ env: [{ name: 'BATCH', valueFrom }] });
const items = [{ key: 'batch', path: 'batch' }];
const found = (podTemplate: object, changes: Partial<Parameters<typeof assessed>[0]> = {}) =>
  assessed({ spec: { workers: 2, podTemplate }, status: {}, pods: [], ...changes });

describe('a job waits, and says so', () => {
  test.each<[string, string, object, Readonly<Record<string, readonly string[]>>]>([
    ['ConfigMap settings not found', 'a volume', mounted({ configMap: { name: 'settings' } }), {}],
    ['Secret key not found', 'a volume', mounted({ secret: { secretName: 'key' } }), { 'ConfigMap/key': ['batch'] }],
    ['ConfigMap settings not found', 'a projected volume', projected({ configMap: { name: 'settings' } }), {}],
    ['Secret key not found', 'a projected volume', projected({ secret: { name: 'key' } }), {}],
    ['Secret key not found', 'a driver', mounted({ csi: { driver: 'd', nodePublishSecretRef: { name: 'key' } } }), {}],
    ['ConfigMap settings not found', 'variables', { envFrom: [{ configMapRef: { name: 'settings' } }] }, {}],
    ['Secret key not found', 'variables', { envFrom: [{ secretRef: { name: 'key' } }] }, {}],
    ['ConfigMap a not found', 'a variable', variable({ configMapKeyRef: { name: 'a', key: 'batch' } }), {}],
    ['Secret a not found', 'a variable', variable({ secretKeyRef: { name: 'a', key: 'batch' } }), {}],
    [
      'ConfigMap a has no key batch',
      'a variable',
      variable({ configMapKeyRef: { name: 'a', key: 'batch' } }),
      { 'ConfigMap/a': ['batches'] },
    ],
    [
      'Secret a has no key batch',
      'a volume with files',
      mounted({ secret: { secretName: 'a', items } }),
      { 'Secret/a': [] },
    ],
    [
      'ConfigMap b not found',
      'the second of two volumes',
      projected({ configMap: { name: 'a' } }, { configMap: { name: 'b' } }),
      { 'ConfigMap/a': [] },
    ],
  ])('%s, for %s: %#', (obstacle, _, podTemplate, objects) => {
    const { conditions, events } = found(podTemplate, { objects });
    const reason = `${obstacle.split(' ')[0]}NotFound`;
    const message = `The workers wait: ${obstacle}`;
    expect(conditions.Scheduled).toEqual({ reason, message });
    expect(events).toEqual([{ type: 'Warning', reason, note: message }]);
  });
});

describe('a job does not wait for', () => {
  test.each<[string, object, Readonly<Record<string, readonly string[]>>]>([
    ['an optional volume', mounted({ configMap: { name: 'a', items, optional: true } }), {}],
    [
      'a key of an optional volume',
      mounted({ configMap: { name: 'a', items, optional: true } }),
      { 'ConfigMap/a': [] },
    ],
    ['an optional variable', variable({ secretKeyRef: { name: 'a', key: 'b', optional: true } }), {}],
    ['optional variables', { envFrom: [{ secretRef: { name: 'a', optional: true } }] }, {}],
    ['a volume that no container mounts', { volumes: [{ name: 'data', configMap: { name: 'a' } }] }, {}],
    ['what is there', mounted({ secret: { secretName: 'a', items } }), { 'Secret/a': ['batch'] }],
  ])('%s', (_, podTemplate, objects) => {
    const { conditions, events } = found(podTemplate, { objects });
    expect([conditions.Scheduled?.reason, events]).toEqual(['Queued', []]);
  });
});

const needsMap = mounted({ configMap: { name: 'settings' } });

describe('the event of a missing object', () => {
  const scheduled = (status: string, message: string) => ({
    conditions: [{ type: 'Scheduled', status, reason: 'ConfigMapNotFound', message }],
  });
  test.each([
    ['is not repeated', scheduled('False', 'The workers wait: ConfigMap settings not found'), 0],
    ['follows when another one is missing', scheduled('False', 'The workers wait: ConfigMap other not found'), 1],
    ['is left to the runtime when the condition becomes False', scheduled('True', 'All workers have a node'), 0],
  ])('%s', (_, status, count) => {
    expect(found(needsMap, { status }).events).toHaveLength(count);
  });
});

test('a worker that has a node already is said to wait for the kubelet', () => {
  const pods = [{ index: 0 }, { index: 1, phase: 'Pending' }];
  const { Training, Scheduled } = found(needsMap, { pods }).conditions;
  expect(Scheduled?.reason).toBe('WorkersScheduled');
  expect(Training).toEqual({
    reason: 'ContainerNotCreated',
    message: 'Worker ranking-1-0 cannot start: ConfigMap settings not found',
  });
});

test('a claim that only the first Pod mounts comes after an object that all need', () => {
  const spec = { workers: 2, checkpoint: { claimName: 'models' }, podTemplate: needsMap };
  const { conditions } = found({}, { spec, claims: [{ isEnding: true }] });
  expect(conditions.Scheduled?.message).toBe('The workers wait: ConfigMap settings not found');
});

test('a job that trains does not mind', () => {
  const status = { startTime: new Date(now).toISOString(), phase: 'Running' };
  const { conditions } = found(needsMap, { status, pods: [{ index: 0 }, { index: 1 }] });
  expect(conditions.Scheduled?.reason).toBe('WorkersScheduled');
});
