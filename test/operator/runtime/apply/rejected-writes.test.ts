import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { allowRejection } from '../../../../operator/runtime/rendering/object-policies.js';
import type { Loose } from '../../../given.js';
import { bound, GivenHouse } from '../given/house.js';
import { conditionOf, widgetController } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

/** An API server that refuses ConfigMaps of too large a size, and counts how often it did. */
function open({ allows = true, refuses = new ApiError('exceeded quota', { code: 403, reason: 'Forbidden' }) } = {}) {
  const seen = { refusals: 0, isOpen: false };
  const check = (object: Manifest) => {
    if ((object as Loose)['data']?.size !== 'large' || seen.isOpen) return;
    seen.refusals++;
    throw refuses;
  };
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: async (kind, object, options) => {
      check(object);
      return cluster.create(kind, object, options);
    },
    apply: async (kind, object, options) => {
      check(object);
      return cluster.apply(kind, object, options);
    },
  });
  const plain = widgetController();
  const controller = widgetController({
    desire: (scope, facts) => {
      plain.desire(scope, facts);
      if (allows) allowRejection(scope, 'raise the quota');
    },
  });
  house = new GivenHouse({ controller, faults });
  return seen;
}

const map = (size: string) => ({ a: { size } });

describe('an object whose write may be rejected', () => {
  test.each([
    { error: 'a quota', refuses: new ApiError('exceeded quota', { code: 403, reason: 'Forbidden' }) },
    {
      error: 'a check',
      refuses: new ApiError('exceeded quota', { code: 422, reason: 'Invalid', fields: ['data.size'] }),
    },
  ])('holds up nothing if $error refuses a change of it: later objects come, and others go', async ({ refuses }) => {
    open({ refuses });
    await house.givenWidget({ maps: { ...map('small'), b: { size: '1' } } });
    await house.pass();
    await house.givenWidget({ maps: map('large'), workload: true });
    const writes = await house.pass();
    expect(writes).toContain('create Service team/web');
    expect(writes).toContain('remove ConfigMap team/web-b');
    expect(await house.read(ConfigMap, 'web-a')).toMatchObject({ data: { size: 'small' } });
    expect(conditionOf(await house.widget(), 'Accepted')).toMatchObject({ status: 'True' });
    for (const [type, status] of Object.entries({ Ready: 'False', Stalled: 'True' })) {
      const message = 'exceeded quota: raise the quota';
      expect(conditionOf(await house.widget(), type)).toMatchObject({ status, reason: 'ApplyRejected', message });
    }
  });

  test('that is missing holds up later objects only, which may need it', async () => {
    open();
    await house.givenWidget({ maps: { b: { size: '1' } } });
    await house.pass();
    await house.givenWidget({ maps: map('large'), workload: true });
    expect(await house.pass()).toContain('remove ConfigMap team/web-b');
    expect(await house.names(Service)).toEqual([]);
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ reason: 'ApplyRejected' });
  });

  test('is tried again after a minute, and not in between', async () => {
    const seen = open();
    await house.givenWidget({ maps: map('small') });
    await house.pass();
    await house.givenWidget({ maps: map('large') });
    for (let n = 0; n < 5; n++) await house.pass();
    expect(seen.refusals).toBe(1);
    expect(house.recheck).toBe(60_000);
    seen.isOpen = true;
    await house.clock.advance(60_000);
    expect(await house.pass()).toContain('apply ConfigMap team/web-a');
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  });

  test('is taken back at once', async () => {
    open();
    await house.givenWidget({ maps: map('small') });
    await house.pass();
    await house.givenWidget({ maps: map('large') });
    await house.pass();
    await house.givenWidget({ maps: map('small') });
    await house.pass();
    expect(conditionOf(await house.widget(), 'Ready')).toMatchObject({ status: 'True' });
  });

  test('is one that says so: any other fails the reconcile', async () => {
    open({ allows: false });
    await house.givenWidget({ maps: map('small') });
    await house.pass();
    await house.givenWidget({ maps: map('large') });
    await expect(house.pass()).rejects.toThrow('exceeded quota');
  });
});
