import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { apply, RivalHouse, status, webA } from '../given/rivals.js';
import { failure } from '../given/scripted-cluster.js';
import { conditionOf } from '../given/widgets.js';

let house: RivalHouse;
beforeEach(() => {
  house = new RivalHouse();
});
afterEach(() => house.close());

const why =
  'Left data.size of ConfigMap web-a to rival, which changes it after each revert: remove the field from one of the two';

describe('a field that another manager takes back each time', () => {
  test('R21 is given up the fifth time, and both are named', async () => {
    await house.settle();
    expect(await house.rounds(5)).toEqual([apply, apply, apply, apply, status]);
    for (const [type, is] of Object.entries({ FieldsConflicted: 'True', Ready: 'False', Stalled: 'True' })) {
      expect(conditionOf(await house.widget(), type), type).toMatchObject({
        status: is,
        reason: 'FieldManagerConflict',
        message: why,
      });
    }
    expect(await house.events()).toEqual([
      'Normal Created: Created ConfigMap web-a',
      'Normal DriftCorrected: Changed back data.size of ConfigMap web-a',
      `Warning FieldManagerConflict: ${why}`,
    ]);
    expect(house.trips).toEqual(['ConfigMap FieldManagerConflict']);
    expect(await house.rounds(5)).toEqual([]);
    expect(house.recheck).toBeLessThanOrEqual(300_000);
  });

  test('is told in the log each time that it is taken back, as is what was deleted, and nothing else', async () => {
    const told: unknown[] = [];
    const log = { ...silent.log, info: (fields: object, message: string) => told.push({ ...fields, message }) };
    house.place = { ...house.place, telemetry: { ...house.place.telemetry, log } };
    await house.settle();
    expect(told).toEqual([]);
    await house.rounds(2);
    await house.removed(ConfigMap, 'web-a');
    await house.pass();
    const object = { controller: 'widget', key: 'team/web', object: 'ConfigMap team/web-a' };
    const taken = { ...object, fields: ['data.size'], message: 'Reverting drift' };
    expect(told).toEqual([taken, taken, { ...object, message: 'Created missing object' }]);
  });

  test('R21 is asked for its manager from the third time on, not before', async () => {
    await house.settle();
    await house.rounds(2);
    expect(house.reads).toEqual([]);
    await house.rounds(3);
    expect(house.reads).toEqual(['ConfigMap web-a', 'ConfigMap web-a', 'ConfigMap web-a']);
  });

  test('R21 blocks nothing else: siblings and later waves are created and repaired', async () => {
    await house.settle({ maps: { a: { size: '1' }, b: { size: '1' } }, workload: true });
    await house.rounds(5);
    await house.removed(ConfigMap, 'web-b');
    await house.removed(Deployment, 'web');
    expect(await house.pass()).toEqual(['create ConfigMap team/web-b', 'create Deployment team/web']);
  });

  test('R21 is tried once after five minutes; taken back again, it is left again, and nothing flaps', async () => {
    await house.settle();
    await house.rounds(5, { every: 0 });
    expect(house.recheck).toBe(300_000);
    await house.clock.advance(300_000);
    expect(await house.pass()).toEqual([apply]);
    expect(house.recheck).toBe(75_000);
    expect(await house.rounds(3)).toEqual([]);
    expect(await house.contested()).toMatchObject({ status: 'True', message: why });
    await house.clock.advance(300_000);
    expect(await house.pass()).toEqual([apply]);
  });

  test('R21 is ours again when the try holds, and nothing is said any more', async () => {
    await house.settle();
    await house.rounds(5, { every: 0 });
    await house.clock.advance(300_000);
    expect(await house.pass()).toEqual([apply]);
    expect(await house.pass()).toEqual([]);
    expect(await house.contested()).toBeDefined();
    await house.clock.advance(75_000);
    expect(await house.pass()).toEqual([status]);
    expect(await house.contested()).toBeUndefined();
    expect(house.place.writeGuard.breaker.size).toBe(0);
    await house.clock.advance(10_000); // the watch is up again
    expect(await house.rounds(4)).toEqual([apply, apply, apply, apply]); // the count begins anew
  });

  test('R21 is ours again as soon as the other one gives in', async () => {
    await house.settle();
    await house.rounds(5);
    await house.takes('rival', 'size', '1');
    expect(await house.pass()).toEqual([status]);
    expect(await house.contested()).toBeUndefined();
  });

  test('R21 is written at once when the spec is edited', async () => {
    await house.settle();
    await house.rounds(5);
    await house.givenWidget({ maps: { a: { size: '2' } } });
    expect(await house.pass()).toContain(apply);
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { size: '2' } });
  });

  test('R21 is given up though the API server refuses each of our writes at first, for what the other one put beside it', async () => {
    await house.settle();
    const cluster = bound(house.memory);
    const refusing: Cluster = {
      ...cluster,
      apply: async (kind, object, options) => {
        const isBoth = Object.hasOwn((options.whole as Loose | undefined)?.['data'] ?? {}, 'beside');
        if (!isBoth) return cluster.apply(kind, object, options);
        throw new ApiError('may not be set', { code: 422, reason: 'Invalid', fields: ['data.beside'] });
      },
    };
    house.place = { ...house.place, cluster: refusing };
    let rounds = 0;
    for (; rounds < 20 && !(await house.contested()); rounds++) {
      await house.takes('rival', 'beside', 'x');
      await house.takes('rival', 'size', `theirs ${rounds}`);
      await house.pass();
      await house.clock.advance(10_000);
    }
    expect(rounds).toBe(5);
  });

  test('R21 is counted anew by another process', async () => {
    await house.settle();
    await house.rounds(5);
    house.restart();
    expect(await house.rounds(4)).toEqual([apply, status, apply, apply, apply]);
  });

  test.each([
    { path: 'data.size', how: 'removes it', patch: { op: 'remove', path: '/data/size' } },
    {
      path: 'metadata.annotations',
      how: 'removes our annotations',
      patch: { op: 'remove', path: '/metadata/annotations' },
    },
    {
      path: 'metadata.labels',
      how: 'removes our label',
      patch: { op: 'remove', path: '/metadata/labels' },
    },
  ] as const)('R21 is given up when the other one $how', async ({ path, patch }) => {
    await house.settle();
    for (let n = 0; n < 7; n++) {
      if (await house.contested()) break;
      await house.memory.patch(ConfigMap, webA, [patch], { manager: 'rival' });
      await settled();
      await house.pass();
    }
    expect(await house.contested()).toMatchObject({
      reason: 'FieldManagerConflict',
      message: expect.stringContaining(path),
    });
  });

  test.each([
    { may: 'four times', act: () => house.rounds(4) },
    { may: 'five times in more than five minutes', act: () => house.rounds(12, { every: 76_000 }) },
    {
      may: 'each of five fields',
      act: async () => {
        for (const field of ['size', 'more', 'b', 'c', 'd']) await house.rounds(2, { field });
      },
    },
    {
      may: 'by two managers in turn',
      act: async () => {
        for (let n = 0; n < 6; n++) await house.rounds(1, { manager: n % 2 === 0 ? 'one' : 'other' });
      },
    },
    {
      may: 'once, while our writes fail',
      act: async () => {
        await house.takes('rival', 'size', '9');
        const { cluster } = house.place;
        const refused = () => Promise.reject(failure(500, 'InternalError'));
        house.place = { ...house.place, cluster: { ...cluster, apply: refused } };
        for (let n = 0; n < 6; n++) await expect(house.pass()).rejects.toThrow('InternalError');
        house.place = { ...house.place, cluster };
        expect(await house.pass()).toContain(apply);
      },
    },
  ])('R21 is taken back whoever takes it $may', async ({ act }) => {
    await house.settle();
    await act();
    expect(await house.contested()).toBeUndefined();
    expect(house.trips).toEqual([]);
  });

  test('R21 of fifty objects that are edited twice each is taken back each time, without a read', async () => {
    await house.settle({ maps: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`, { size: '1' }])) });
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 50; n++) {
        const one = { namespace: 'team', name: `web-${n}` };
        await house.memory.patch(ConfigMap, one, [{ op: 'replace', path: '/data/size', value: 'x' }], {
          manager: 'rival',
        });
      }
      await settled();
      expect(await house.pass()).toHaveLength(50);
    }
    expect([house.reads, house.trips]).toEqual([[], []]);
  });
});
