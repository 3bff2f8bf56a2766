import { afterEach, describe, expect, test } from 'vitest';
import type { ControllerProps } from '../../../../operator/runtime/controller/controller.js';
import { releaseAnnotation } from '../../../../operator/runtime/controller/finalization.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, somebody } from '../given/house.js';
import { widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

/** As the aggregator answers while the server behind an APIService is away. */
const away = new ApiError('service unavailable', { code: 503, reason: 'ServiceUnavailable' });
const minute = 60_000;

/** A Widget that is being deleted, and a Service of which nobody knows whether it was made, and which is read so. */
async function leaving(
  read: Cluster['read'],
  finalizes: ControllerProps['finalizes'] = { deadline: minute, onDeadline: 'release' },
): Promise<GivenHouse> {
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    read: (kind, ...rest) => (kind.kind === Service.kind ? read(kind, ...rest) : cluster.read(kind, ...rest)),
  });
  house = new GivenHouse({ controller: widgetController({ finalizes }), faults });
  await house.givenWidget({ maps: { a: {} } });
  await house.pass();
  house.stores.unconfirmedWrites.note('widget team/web', { kind: Service, key: 'team/web' });
  await house.removed(widgetKind, 'web');
  return house;
}

async function released(): Promise<void> {
  const { metadata } = await house.widget();
  const value = { [releaseAnnotation]: metadata.uid };
  await house.memory.patch(widgetKind, metadata, [{ op: 'add', path: '/metadata/annotations', value }], somebody);
  await settled();
}

describe('a resource that is deleted while it is not known what became of a write', () => {
  test('R28 stays while that cannot be read', async () => {
    await leaving(() => Promise.reject(away));
    await expect(house.pass()).rejects.toBe(away);
    expect(await house.names(widgetKind)).toEqual(['team/web']);
  });

  test('R28 is let go when a person says so, and says what is not known', async () => {
    await leaving(() => Promise.reject(away));
    await released();
    expect(await house.pass()).toEqual(['apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.events()).toContain(
      `Warning Released: Released without the rest of its cleanup as requested by annotation ${releaseAnnotation}; left: ConfigMap web-a; unknown result of the last write: Service web`,
    );
  });

  test('R28 is let go at its deadline where that is the policy, and says what is not known', async () => {
    await leaving(() => Promise.reject(away));
    await house.clock.advance(minute);
    expect(await house.pass()).toEqual(['apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.events()).toContain(
      'Warning Released: Released without the rest of its cleanup because its cleanup took longer than 1 min; left: ConfigMap web-a; unknown result of the last write: Service web',
    );
  });

  test('R28 is let go at its deadline, though the server never answers what became of it', async () => {
    await leaving(
      (_, __, { signal } = {}) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    await house.clock.advance(minute);
    const { waiting } = house.clock;
    const passing = house.pass();
    await house.clock.advance(30_000);
    expect(await passing).toEqual(['apply Widget team/web']);
    expect(house.clock.waiting).toBe(waiting);
  });

  test('R28 is undone before it is let go at its deadline when that can be read', async () => {
    await leaving((kind, name) => house.memory.read(kind, name));
    await house.clock.advance(minute);
    expect(await house.pass()).toEqual(['remove ConfigMap team/web-a', 'apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
  });
});
