import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { bound, GivenHouse } from '../given/house.js';
import { type WidgetSpec, widgetController, widgetKind } from '../given/widgets.js';

const hour = 3_600_000;
/** A Widget expires at the time in an annotation. */
const controller = widgetController({
  expiresAt: ({ metadata }) => {
    const at = metadata.annotations?.['example.org/expires'];
    return at === undefined ? undefined : Number(at);
  },
});

let house: GivenHouse;
beforeEach(() => {
  house = new GivenHouse({ controller });
});
afterEach(() => house.close());

/** A Widget that expires after so many milliseconds. */
async function given(after: number | undefined, spec?: WidgetSpec): Promise<void> {
  const expires = after === undefined ? {} : { 'example.org/expires': String(house.clock.now() + after) };
  await house.givenWidget(spec, { annotations: expires });
}

describe('a resource that expires', () => {
  test('is reconciled again at that time, to the millisecond', async () => {
    await given(hour);
    await house.pass();
    expect(house.recheck).toBe(hour);
    await house.clock.advance(hour - 1);
    expect(await house.pass()).toEqual([]);
    expect(house.recheck).toBe(1);
  });

  test('is then deleted, which an event tells', async () => {
    await given(hour);
    await house.pass();
    await house.clock.advance(hour);
    expect(await house.pass()).toEqual(['remove Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.events()).toContain('Normal Expired: Deleted the Widget, which expired at 2030-01-01T01:00:00Z');
  });

  test('is deleted at once if its time is over before anything was created for it', async () => {
    await given(-1);
    expect(await house.pass()).toEqual(['remove Widget team/web']);
    expect(await house.names(ConfigMap)).toEqual([]);
  });

  test('is deleted although its spec is rejected', async () => {
    await given(-1, { rejected: 'not so' });
    expect(await house.pass()).toEqual(['remove Widget team/web']);
  });

  test('stays if its user has just extended its time', async () => {
    await given(-1);
    const whole = house.place.cluster;
    const remove: typeof whole.remove = async (...args) => {
      await given(hour);
      return whole.remove(...args);
    };
    house.place = { ...house.place, cluster: { ...bound(whole), remove } };
    await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await house.names(widgetKind)).toEqual(['team/web']);
  });
});

test('a resource without such a time stays', async () => {
  await given(undefined);
  await house.pass();
  await house.clock.advance(2 * hour);
  expect(await house.pass()).toEqual([]);
  expect(house.recheck).toBeUndefined();
});

test('the operator may delete only resources that can expire', () => {
  const verbs = ({ rbacRules }: typeof controller) =>
    rbacRules.find(({ resources }) => resources.includes('widgets'))?.verbs;
  expect(verbs(controller)).toContain('delete');
  expect(verbs(widgetController())).not.toContain('delete');
});
