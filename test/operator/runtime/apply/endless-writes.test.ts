import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frequentlyChanged } from '../../../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { apply, RivalHouse, webA } from '../given/rivals.js';
import { add, widgetController } from '../given/widgets.js';

let house: RivalHouse;
beforeEach(() => {
  house = new RivalHouse();
});
afterEach(() => house.close());

describe('a controller that never comes to rest', () => {
  /** Its ConfigMap has the current time. */
  const restless = () =>
    widgetController({
      desire: (scope, { now }) => {
        add(scope, 'v1', 'ConfigMap', 'web-a', { data: { now: now.toISOString(), size: '1' } });
      },
    });
  const passes = async (count: number) => {
    const writes: string[] = [];
    for (let n = 0; n < count; n++) {
      await house.clock.advance(1000);
      writes.push(...(await house.pass()));
    }
    return writes.filter((write) => write.includes('ConfigMap'));
  };

  test('R21 is cut after twenty writes, and the field that moves is named', async () => {
    house = new RivalHouse({ controller: restless() });
    await house.settle({});
    expect((await passes(30)).filter((write) => write === apply)).toHaveLength(20);
    expect(await house.contested()).toMatchObject({
      reason: 'WriteLoop',
      message:
        'ConfigMap web-a: the desired data.now keeps changing without an edit: desire must depend only on the facts, ' +
        'not on time or randomness',
    });
    expect(house.trips).toEqual(['ConfigMap WriteLoop']);
  });

  test.each([
    { fields: ['data.now'], writes: 30 },
    { fields: ['data'], writes: 30 },
    { fields: ['data.no'], writes: 20 },
    { fields: ['data.size', 'metadata'], writes: 20 },
    { fields: [], writes: 20 },
  ])(
    'is not cut if its kind has these fields as those that change at any rate: $fields',
    async ({ fields, writes }) => {
      const controller = { ...restless(), owns: [frequentlyChanged(ConfigMap, fields)] };
      house = new RivalHouse({ controller });
      await house.settle({});
      expect((await passes(30)).filter((write) => write === apply)).toHaveLength(writes);
      expect(house.trips).toHaveLength(writes === 30 ? 0 : 1);
    },
  );

  test('may change such a field to and fro, also after somebody else has changed it', async () => {
    let isFirst = true;
    const changing = widgetController({
      desire: (scope) => {
        const more = isFirst ? { size: 'first', more: 'removed again' } : { size: 'second' };
        add(scope, 'v1', 'ConfigMap', 'web-a', { data: more });
      },
    });
    house = new RivalHouse({ controller: { ...changing, owns: [frequentlyChanged(ConfigMap, ['data'])] } });
    await house.settle({});
    await house.rounds(1);
    for (let n = 0; n < 30; n++) {
      isFirst = !isFirst;
      expect(await passes(1)).toContain(apply);
    }
    expect(house.trips).toEqual([]);
  });

  test('may remove and add such a field, which leaves nothing that differs but the annotation of the runtime', async () => {
    let isThere = false;
    const changing = widgetController({
      desire: (scope) => {
        add(scope, 'v1', 'ConfigMap', 'web-a', { data: { size: '1', ...(isThere && { more: 'x' }) } });
      },
    });
    house = new RivalHouse({ controller: { ...changing, owns: [frequentlyChanged(ConfigMap, ['data'])] } });
    await house.settle({});
    for (let n = 0; n < 50; n++) {
      isThere = !isThere;
      expect(await passes(1)).toContain(apply);
    }
    expect(house.trips).toEqual([]);
  });

  test('R21 is tried once after five minutes, and by every edit', async () => {
    house = new RivalHouse({ controller: restless() });
    await house.settle({});
    await passes(30);
    await house.clock.advance(300_000);
    expect(await passes(5)).toHaveLength(1);
    await house.givenWidget({ maps: { edited: {} } });
    expect(await passes(1)).toHaveLength(1);
    expect(await house.contested()).toBeUndefined();
  });

  test('R21 is not one whose objects are edited by its users', async () => {
    await house.settle();
    for (let n = 0; n < 40; n++) {
      await house.givenWidget({ maps: { a: { size: `${n}` } } });
      expect(await house.pass()).toContain(apply);
    }
    expect(house.trips).toEqual([]);
  });

  test('R21 is not one that takes a few steps after each edit, were there many edits in a row', async () => {
    let step = 0;
    const stepping = widgetController({
      desire: (scope) => {
        add(scope, 'v1', 'ConfigMap', 'web-a', { data: { step: `${step}` } });
      },
    });
    house = new RivalHouse({ controller: stepping });
    await house.settle({});
    for (let edit = 0; edit < 15; edit++) {
      await house.givenWidget({ maps: { edited: { edit: `${edit}` } } });
      await house.pass();
      for (let steps = 0; steps < 3; steps++) {
        step++;
        expect(await passes(1)).toEqual([apply]);
      }
    }
    expect(house.trips).toEqual([]);
  });

  test('R21 is not one that goes from object to object, each when the one before is done', async () => {
    const members = Array.from({ length: 40 }, (_, n) => `web-${n}`);
    let done = 0;
    const rolling = widgetController({
      conditions: {},
      assess: () => ({ conditions: {} }),
      desire: (scope) => {
        for (const [n, member] of members.entries()) {
          add(scope, 'v1', 'ConfigMap', member, { data: { image: n < done ? 'new' : 'old' } });
        }
      },
    });
    house = new RivalHouse({ controller: rolling });
    await house.settle({});
    for (; done < members.length; done++) await passes(1);
    expect(await passes(1)).toHaveLength(1);
    expect(house.trips).toEqual([]);
  });
});

describe('an object that is deleted as often as it is made', () => {
  const deletions = async (count: number) => {
    let writes: string[] = [];
    for (let n = 0; n < count; n++) {
      if (await house.find(ConfigMap, webA)) await house.removed(ConfigMap, 'web-a');
      await house.clock.advance(1000);
      writes = [...writes, ...(await house.pass())];
    }
    return writes.filter((write) => write.startsWith('create'));
  };

  test('R21 is recreated twenty times if a user deletes it', async () => {
    await house.settle();
    expect(await deletions(20)).toHaveLength(20);
    expect(house.trips).toEqual([]);
  });

  test('R21 is then not recreated for a while, and its resource reports it', async () => {
    await house.settle();
    expect(await deletions(30)).toHaveLength(21);
    expect(await house.contested()).toMatchObject({
      reason: 'WriteLoop',
      message: 'ConfigMap web-a was created 20 times in 5 minutes and is deleted each time: find out who deletes it',
    });
    await house.clock.advance(300_000);
    expect(await deletions(5)).toHaveLength(1);
  });

  test('R21 is forgotten when nothing happens to it', async () => {
    await house.settle();
    await deletions(3);
    expect(house.place.writeGuard.breaker.size).toBe(1);
    await house.clock.advance(300_001);
    await house.rounds(1);
    expect(house.place.writeGuard.breaker.size).toBe(1); // the ConfigMap of that round
  });
});
