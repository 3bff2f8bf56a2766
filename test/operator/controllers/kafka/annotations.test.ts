import { describe, expect, it } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import {
  drainedBrokers,
  drainProblems,
} from '../../../../operator/controllers/kafka/cluster/annotations/drained-brokers.js';
import { balancedOf } from '../../../../operator/controllers/kafka/cluster/findings/balanced.js';
import { finalizedOf } from '../../../../operator/controllers/kafka/cluster/findings/finalized.js';
import { planOf } from '../../../../operator/controllers/kafka/cluster/plan/index.js';
import { type Situation, situationOf } from '../../../../operator/controllers/kafka/cluster/situation.js';
import { answer, now, situation, six } from './given-kafka.js';

const resourceWith = (annotations: object, input: object = {}) => ({
  metadata: { name: 'events', namespace: 'shop', uid: 'uid', annotations },
  spec: withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } }, ...input }),
});

describe('the annotation reconstruct.dev/drain', () => {
  const tried = (value: string, changes: Partial<Situation> = {}) => {
    const resource = resourceWith({ 'reconstruct.dev/drain': value });
    const drain = drainProblems(resource as never, [0, 1, 2]);
    const seen = situation(six(), { drain, ...changes });
    const { steps } = planOf(seen);
    const observation = { resource, situation: seen, steps, call: { state: 'none' }, hook: undefined, hasRoutes: true };
    return { ids: drainedBrokers(resource as never), balanced: balancedOf(observation as never) };
  };
  const refused = (got: string) => ({
    reason: 'DrainRefused',
    message: `Annotation reconstruct.dev/drain names ${got}, which is no ID of a broker; write IDs, separated by commas, such as 2,5`,
  });
  const unknown = (got: string) => ({
    reason: 'Balanced',
    message: `Annotation reconstruct.dev/drain names ${got}, but the brokers are 0, 1, 2; correct the ID, or remove it`,
  });

  it.each([
    { value: '2', ids: [2], balanced: undefined, when: 'it is the ID of a broker' },
    { value: ' 2, 1 ,', ids: [1, 2], balanced: undefined, when: 'it has spaces and a comma too many' },
    { value: '', ids: [], balanced: undefined, when: 'it is empty' },
    { value: 'events-broker-2', ids: [], balanced: refused('"events-broker-2"'), when: 'it is the name of a Pod' },
    { value: '1;2', ids: [], balanced: refused('"1;2"'), when: 'the IDs are separated otherwise' },
    { value: '-1,02', ids: [], balanced: refused('"-1", "02"'), when: 'they are no IDs of Kafka' },
    { value: '2,x', ids: [2], balanced: refused('"x"'), when: 'one of them is no ID: the other one stays drained' },
    { value: 'x'.repeat(99), ids: [], balanced: refused(`"${'x'.repeat(32)}…"`), when: 'it is long' },
    { value: '22', ids: [22], balanced: unknown('22'), when: 'no broker has it' },
    { value: '1000', ids: [1000], balanced: unknown('1000'), when: 'it is the ID of a controller' },
  ])('"$value" is told as $balanced.reason when $when', ({ value, ids, balanced }) => {
    const { balanced: told, ...rest } = tried(value);
    expect(rest.ids).toEqual(ids);
    expect(told).toEqual(balanced ?? { reason: 'Balanced' });
  });

  it('is told while replicas move, and an ID that no broker has is not', () => {
    const cluster = answer({ partitions: { reassigning: 2 } });
    expect(tried('x', { cluster }).balanced).toEqual(refused('"x"'));
    expect(tried('22', { cluster }).balanced.reason).toBe('Moving');
  });

  it('names no broker as unknown while none exists yet', () => {
    const view = {
      ...{ resource: resourceWith({ 'reconstruct.dev/drain': '2' }), now: new Date(now), polled: {} },
      ...{ owned: { of: () => [] }, isServed: () => true },
      reads: { nodes: [], claims: [], listenerCertificates: [] },
    };
    expect(situationOf(view as never).drain).toEqual({});
  });
});

describe('the annotation reconstruct.dev/finalize', () => {
  const told = (value: string | undefined, policy: 'Manual' | 'Automatic', due?: number) => {
    const annotations = value === undefined ? {} : { 'reconstruct.dev/finalize': value };
    const resource = resourceWith(annotations, { finalize: { policy } });
    const seen = situation(six(), {
      cluster: answer({ metadataVersion: { finalized: 30, minimum: 7, maximum: 33 } }),
    });
    const observation = { resource, situation: seen, steps: [], call: { state: 'none' }, hook: undefined };
    return finalizedOf({ ...observation, hasRoutes: true } as never, due);
  };

  it('is told if it does not approve the version of the spec', () => {
    expect(told('4.5', 'Manual').message).toBe(
      'Version 4.4 is finalized when you set the annotation reconstruct.dev/finalize to "4.4"; until then you can return to the earlier version; annotation reconstruct.dev/finalize is "4.5", which does not approve version 4.4',
    );
    expect(told('4.3', 'Automatic', now + 1_000)).toEqual({
      reason: 'Soaking',
      message:
        'Annotation reconstruct.dev/finalize is "4.3", which does not approve version 4.4: set it to "4.4" to finalize now, or remove it; until the version is finalized, you can return to the earlier version',
    });
  });

  it('is not mentioned without it, and if it approves the version', () => {
    expect(told(undefined, 'Manual').message).not.toContain('does not approve');
    expect(told('4.4', 'Automatic', now + 1_000)).toEqual({ reason: 'Soaking' });
  });
});
