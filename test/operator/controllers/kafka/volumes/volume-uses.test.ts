import { describe, expect, it } from 'vitest';
import { provisionedOf } from '../../../../../operator/controllers/kafka/cluster/findings/provisioned.js';
import { volumeUses } from '../../../../../operator/controllers/kafka/cluster/findings/volume-uses.js';
import type { BrokerVolume } from '../../../../../operator/controllers/kafka/ports/cluster.js';
import { answer, situation, six } from '../given-kafka.js';

const first = (used: number): BrokerVolume => ({
  directory: '/var/lib/kafka/data',
  size: { total: 100, usable: 100 - used },
});
const fast = (used: number): BrokerVolume => ({ ...first(used), directory: '/var/lib/kafka-volumes/fast/data' });
const failed: BrokerVolume = { directory: '/var/lib/kafka-volumes/fast/data', hasFailed: true };

const given = (volumes: readonly BrokerVolume[]) => situation(six(), { cluster: answer({ load: { 1: { volumes } } }) });

describe('the volumes of a broker', () => {
  it('have the names of the spec', () => {
    expect(volumeUses(1, given([first(40), fast(95)]))).toEqual([
      { name: 'data', usedPercent: 40, hasFailed: false },
      { name: 'fast', usedPercent: 95, hasFailed: false },
    ]);
    expect(volumeUses(1, given([failed]))).toEqual([{ name: 'fast', hasFailed: true }]);
    expect(volumeUses(2, given([]))).toEqual([]);
  });

  const provision = (...volumes: readonly BrokerVolume[]) =>
    provisionedOf({
      ...{ resource: { spec: { listeners: [] } } as never, situation: given(volumes) },
      ...{ steps: [], call: { state: 'none' }, hook: undefined, hasRoutes: true },
    });
  const advice = 'increase its size, lower retention.ms or retention.bytes of topics, or set quotas of users';

  it.each([
    { reason: 'NodesReady', message: undefined, when: 'all have room', volumes: [first(89), fast(89)] },
    {
      reason: 'VolumeNearlyFull',
      message: `The volume of events-broker-1 is 90 % full; ${advice}`,
      when: 'the only one is nearly full',
      volumes: [first(90)],
    },
    {
      reason: 'VolumeNearlyFull',
      message: `Volume fast of events-broker-1 is 90 % full; ${advice}`,
      when: 'one of them is nearly full, although both together are not',
      volumes: [first(1), fast(97)],
    },
    {
      reason: 'VolumeFailed',
      message:
        'Volume fast of events-broker-1 has failed, and the broker serves without it; repair the disk and delete Pod events-broker-1, or drain the broker and remove it',
      when: 'one of them has failed',
      volumes: [first(1), failed],
    },
  ])('are told as $reason when $when', ({ reason, message, volumes }) => {
    expect(provision(...volumes)).toEqual({ reason, ...(message !== undefined && { message }) });
  });
});
