import { afterEach, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { settled } from '../../fake-clock.js';
import { somebody } from '../given/house.js';
import { ImmutableHouse, inTheWay, one } from '../given/immutable.js';
import { conditionOf } from '../given/widgets.js';

let house: ImmutableHouse;
afterEach(() => house.close());

test.each([
  { edited: 'another field', spec: one('1', { maps: { a: { fixed: '1', size: '2' } } }), goes: false },
  { edited: 'the field that they changed too', spec: one('2'), goes: false },
  {
    edited: 'that field, and they another one',
    spec: one('2', { maps: { a: { fixed: '2', size: '1' } } }),
    theirs: 'size',
    goes: true,
  },
])(
  'R20 that somebody else changed where it cannot be put back is not deleted by an edit of $edited: $goes',
  async (row) => {
    const { spec, theirs = 'fixed', goes } = row;
    house = new ImmutableHouse({ recreate: true });
    await house.givenWidget(one('1', { maps: { a: { fixed: '1', size: '1' } } }));
    await house.pass();
    const edit = [{ op: 'replace', path: `/data/${theirs}`, value: 'theirs' }] as const;
    await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, edit, somebody);
    await settled();
    await house.givenWidget(spec);
    await house.pass();
    expect(house.seen.removals.length > 0).toBe(goes);
    expect(conditionOf(await house.widget(), 'Blocked')?.['message']).toEqual(goes ? undefined : inTheWay);
  },
);
