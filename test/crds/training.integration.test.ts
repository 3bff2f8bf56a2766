import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InputOf, trainingJob, trainingJobSpec, withDefaults } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { kstatusOf } from '../kstatus.js';
import { samples } from '../operator/engines/training/logs/sample-rules.js';
import { canonical } from './canonical.js';
import { ApiServer } from './given-api-server.js';
import { leastTraining, REFUSED_TRAINING } from './refused-training.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(trainingJob);
});
afterAll(() => server.close());

const tried = (spec: object, name = 'ranking') =>
  server.tried(trainingJob, { metadata: { name }, spec: { ...leastTraining, ...spec } });

describe('the API server fills in what the constructs do', () => {
  it.each<Partial<InputOf<typeof trainingJobSpec>>>([
    {},
    {
      workers: 4,
      minWorkers: 2,
      replaceWithin: '1m',
      spares: 1,
      resources: { limits: { 'nvidia.com/gpu': 1, memory: '16Gi' }, requests: { cpu: '4' } },
      checkpoint: { size: '20Gi', storageClassName: 'zonal' },
      health: { nonFiniteLoss: 'Fail' },
      restarts: { window: '2d', spike: { backoff: '1m', max: '1h' } },
      topology: { key: 'topology.kubernetes.io/zone' },
      activeDeadline: '48h',
    },
    { recovery: 'Restart', checkpoint: { claimName: 'mine', every: 10 } },
    { health: { logRules: samples.map(({ rule }) => rule) } },
  ])('for the TrainingJob %j', async (spec) => {
    const { body } = await tried(spec);
    expect(body.message).toBeUndefined();
    expect(canonical(body.spec)).toBe(canonical(withDefaults(trainingJobSpec, { ...leastTraining, ...spec })));
  });
});

describe('the API server refuses', () => {
  it.each(REFUSED_TRAINING)('the TrainingJob %j at %s', async (spec, field, message) => {
    const { status, body } = await tried(spec);
    expect(status).toBe(422);
    expect(body.message).toContain(field);
    expect(body.message).toContain(message);
  });

  it.each(['1st', 'a.b', `r${'x'.repeat(40)}`])('a TrainingJob with the name %s', async (name) => {
    const { body } = await tried({}, name);
    expect(body.message).toContain('must have a name that its Pods can have; use up to 40');
  });
});

describe('an update', () => {
  const checkpoint = { size: '20Gi', storageClassName: 'zonal' };
  const updated = async (changes: object) =>
    (await server.triedUpdate(trainingJob, 'kept', { ...leastTraining, checkpoint, ...changes })).body.message ?? '';

  it('keeps the volume of checkpoints, and may change what can be changed', async () => {
    const spec = { ...leastTraining, checkpoint };
    const { body } = await server.create(trainingJob, { metadata: { name: 'kept' }, spec });
    expect(kstatusOf(body as unknown as Parameters<typeof kstatusOf>[0])).toBe('InProgress');
    expect(await updated({ checkpoint: { ...checkpoint, storageClassName: 'other' } })).toContain(
      'storageClassName is immutable',
    );
    expect(await updated({ checkpoint: { claimName: 'mine' } })).toContain('claimName is immutable');
    expect(await updated({ checkpoint: { ...checkpoint, size: '30Gi', every: 10 }, workers: 8, suspend: true })).toBe(
      '',
    );
    expect(await updated({ workers: 2, minWorkers: 3 })).toContain('must be at most workers');
    await server.remove(trainingJob, 'kept');
  });
});
