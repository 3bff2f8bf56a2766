import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cutCluster } from '../../../../operator/testing/contract/trial/cut-cluster.js';
import { type Reach, ReachHouse } from '../given/reach.js';
import { widgetKind } from '../given/widgets.js';

let house: ReachHouse;
beforeEach(() => {
  house = new ReachHouse();
});
afterEach(() => house.close());

describe('a process that dies', () => {
  /** What happens to the resource before the process that dies looks at it, and what must be there in the end. */
  const lives = [
    { life: 'makes the first', before: undefined, after: { maps: ['other/a'], roles: ['b'] } },
    { life: 'replaces one by another', before: { maps: ['other/a'] }, after: { maps: ['third/a'], roles: ['b'] } },
    { life: 'prunes the last', before: { maps: ['other/a'], roles: ['b'] }, after: {} },
    { life: 'undoes all', before: { maps: ['other/a'], roles: ['b'] }, after: undefined },
  ] as readonly { life: string; before?: Reach | undefined; after?: Reach | undefined }[];

  test.each(lives)(
    'R22 at any call while it $life leaves nothing behind that the next one does not find',
    async (row) => {
      const { before, after } = row;
      const wanted = after && [...(after.maps ?? []), ...(after.roles ?? []), 'team/web-near'].sort();
      let cuts = 0;
      for (const isCarriedOut of [false, true]) {
        for (let write = 0, died = true; died; write++) {
          house.close();
          house = new ReachHouse();
          const whole = house.place.cluster;
          await house.reaching(before ?? after ?? {});
          if (before) await house.pass();
          if (before && after) await house.reaching(after);
          if (!after) await house.removeWidget();
          house.place = { ...house.place, cluster: cutCluster(house.memory, { write, isCarriedOut }) };
          died = await house.pass().then(
            () => false,
            () => true,
          );
          house.place = { ...house.place, cluster: whole };
          house.restart();
          await house.pass();
          if (wanted) expect((await house.everything()).sort(), `cut at write ${write}`).toEqual(wanted);
          if (after) await house.removeWidget();
          await house.pass();
          expect(await house.names(widgetKind), `cut at write ${write}`).toEqual([]);
          const left = (await house.everything()).filter((key) => key !== 'team/web-near');
          expect(left, `cut at write ${write}`).toEqual([]);
          cuts++;
        }
      }
      expect(cuts).toBeGreaterThan(6);
    },
  );

  test('R22 before it made what it recorded, and whose resource wants it no more, leaves the inventory right', async () => {
    await house.reaching({ maps: ['other/a'], roles: ['b'] });
    const whole = house.place.cluster;
    house.place = { ...house.place, cluster: cutCluster(house.memory, { write: 2, isCarriedOut: true }) };
    await expect(house.pass()).rejects.toThrow('the process crashed');
    house.place = { ...house.place, cluster: whole };
    house.restart();
    await house.reaching({});
    await house.pass();
    expect(await house.everything()).toEqual(['team/web-near']);
    expect(await house.inventory()).toBeNull();
  });
});
