import { describe, expect, it, test } from 'vitest';
import { podShutdown } from '../../../../operator/controllers/publication/ports/pod-shutdown.js';
import { fakeSource } from '../../../../operator/testing/index.js';
import { givenService, lookup, pods } from './given-publication.js';
import { PublicationWorld } from './given-world.js';

describe('Pods', () => {
  const ends = (sleep: number | undefined, gracePeriodSeconds = 90, ports: readonly number[] = [8080]) =>
    fakeSource(podShutdown, ({ pods: names }) => ({
      pods: names.map((pod) => ({
        ...{ name: pod, isMissing: false, gracePeriodSeconds },
        containers: [
          { name: 'web', ports, ...(sleep !== undefined && { sleep }) },
          { name: 'sidecar', ports: [9090], sleep: 0 },
        ],
      })),
    }));
  test.each<[what: string, answer: ReturnType<typeof ends>, reason: string]>([
    ['serve on for the TTL and drain', ends(60), 'LongEnough'],
    ['end too early', ends(59), 'DrainTooShort'],
    ['have no hook', ends(0), 'DrainTooShort'],
    ['are killed before their hook ends', ends(60, 30), 'DrainTooShort'],
    ['have a hook that is no sleep', ends(undefined), 'HookUnknown'],
    ['declare no port, so that each container counts', ends(60, 90, []), 'DrainTooShort'],
  ])('that %s are reported', async (_what, answer, reason) => {
    const world = await PublicationWorld.start({ drain: '30s' }, { answers: [answer, lookup] });
    expect(await world.reason('Drained')).toBe(reason);
    expect((await world.resource()).status?.drainSeconds).toBe(60);
    // The records are right.
    expect(await world.reason('Ready')).toBe('Ready');
  });

  it('that do not exist make the list stale', async () => {
    const gone = fakeSource(podShutdown, ({ pods: names }) => ({
      pods: names.map((pod) => ({ name: pod, isMissing: true, gracePeriodSeconds: 0, containers: [] })),
    }));
    const world = await PublicationWorld.start({}, { answers: [gone, lookup] });
    expect(await world.reason('Fresh')).toBe('EndpointsStale');
  });

  it('are not asked about for other addresses', async () => {
    const objects = [givenService({ type: 'LoadBalancer' }, { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } })];
    const world = await PublicationWorld.start({ addresses: 'LoadBalancer' }, { objects, answers: [pods, lookup] });
    expect(await world.reason('Drained')).toBeUndefined();
  });
});
