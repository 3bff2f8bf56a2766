import { afterEach, describe, expect, test } from 'vitest';
import { ApiError, FencedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound, GivenHouse } from '../given/house.js';
import { type WidgetSpec, widget, widgetKind } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

const lost = new ApiError('the connection was reset', { code: 0, reason: 'NoAnswer' });
const broken = new ApiError('etcd is slow', { code: 500, reason: 'InternalError' });
const refused = new ApiError('not now', { code: 429, reason: 'TooManyRequests' });

/** A house whose watches tell nothing any more, and where one kind of write meets an error. */
function givenSilence() {
  const faults = { of: '', carriedOut: true, error: lost as Error, reads: 0 };
  const meets = async <T>(method: string, send: () => Promise<T>): Promise<T> => {
    if (faults.of !== method) return send();
    if (faults.carriedOut) await send();
    throw faults.error;
  };
  const faulty = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: (...args) => meets('create', () => cluster.create(...args)),
    remove: (...args) => meets('remove', () => cluster.remove(...args)),
    read: (...args) => {
      faults.reads++;
      return cluster.read(...args);
    },
  });
  house = new GivenHouse({ faults: faulty });
  return faults;
}

/** The widget has another spec, and the cache knows. */
async function edited(spec: WidgetSpec): Promise<void> {
  const made = await house.memory.apply(widgetKind, widget('web', spec), { manager: 'somebody' });
  house.stores.of(widgetKind).told('MODIFIED', made, '');
}

describe('a write without an answer', () => {
  test.each([
    { what: 'a create that was carried out', of: 'create', carriedOut: true, error: lost },
    { what: 'a create that was not', of: 'create', carriedOut: false, error: lost },
    { what: 'a create after which the server failed', of: 'create', carriedOut: true, error: broken },
    {
      what: 'a create whose second try the end of the term stopped',
      of: 'create',
      carriedOut: true,
      error: new FencedError('the term is over', { cause: lost }),
    },
  ])('R16 is looked up before the next pass decides, so nothing is left behind: $what', async (fault) => {
    const faults = givenSilence();
    await house.givenWidget({ maps: { a: {} } });
    house.close();
    Object.assign(faults, fault);
    await expect(house.pass()).rejects.toThrow();
    faults.of = '';
    await edited({ maps: {} });
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual([]);
  });

  test.each([
    { what: 'carried out', carriedOut: true },
    { what: 'not carried out', carriedOut: false },
  ])('R16 is looked up, so what is wanted again is made again: a deletion, $what', async ({ carriedOut }) => {
    const faults = givenSilence();
    await house.givenWidget({ maps: { a: {}, b: {} } });
    await house.pass();
    house.close();
    await edited({ maps: { a: {} } });
    Object.assign(faults, { of: 'remove', carriedOut });
    await expect(house.pass()).rejects.toThrow();
    faults.of = '';
    await edited({ maps: { a: {}, b: {} } });
    await house.pass();
    expect(await house.names(ConfigMap)).toEqual(['team/web-a', 'team/web-b']);
  });

  test.each([
    { when: 'the server refused', error: refused },
    { when: 'it never left', error: new FencedError('the term is over') },
  ])('R16 costs no request where it is known what became of it: $when', async ({ error }) => {
    const faults = givenSilence();
    await house.givenWidget({ maps: { a: {} } });
    Object.assign(faults, { of: 'create', carriedOut: false, error });
    await expect(house.pass()).rejects.toThrow();
    faults.of = '';
    await house.pass();
    expect(faults.reads).toBe(0);
    expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
  });

  test('R16 is looked up once', async () => {
    const faults = givenSilence();
    await house.givenWidget({ maps: { a: {} } });
    Object.assign(faults, { of: 'create', carriedOut: false });
    await expect(house.pass()).rejects.toThrow();
    faults.of = '';
    await house.pass();
    await house.pass();
    expect(faults.reads).toBe(1);
  });
});

test('R16 R7 what a write shows to be newer is read before the next pass decides, though the watch that would tell it is dead', async () => {
  const faults = givenSilence();
  await house.givenWidget({ maps: { a: {}, b: {} } });
  await house.pass();
  house.close();
  const name = { name: 'web-b', namespace: 'team' };
  const touched = [{ op: 'add', path: '/metadata/labels/theirs', value: 'yes' }] as const;
  await house.memory.patch(ConfigMap, name, touched, { manager: 'somebody' });
  await edited({ maps: { a: {} } });
  await expect(house.pass()).rejects.toMatchObject({ reason: 'Conflict' });
  expect(await house.pass()).toContain('remove ConfigMap team/web-b');
  expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
  expect(faults.reads).toBe(1);
});

test('R16 what a name turns out to be taken by is known from then on, though the watch has not told it', async () => {
  const faults = givenSilence();
  await house.givenWidget({ maps: { a: {} } });
  house.close();
  Object.assign(faults, { of: 'create', carriedOut: true });
  await expect(house.pass()).rejects.toThrow();
  faults.of = '';
  house.stores.unconfirmedWrites.forget('widget team/web');
  await house.pass();
  expect(house.stores.of(ConfigMap).get('team/web-a')).toBeDefined();
});
