import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { type Deafness, givenSuccession } from '../given/deaf.js';
import { GivenHouse } from '../given/house.js';

type Data = Readonly<Record<string, string>>;

interface Row {
  readonly when: string;
  /** What the map `web-a` was to hold while both heard of it, one after the other. */
  readonly heard: readonly Data[];
  /** The same while the standby heard nothing of it. */
  readonly unheard: readonly Data[];
  /** The same when it took over. */
  readonly last: Data;
}

describe('fields that another process stated, of which the one that takes over has not heard', () => {
  let leader: GivenHouse;
  let standby: GivenHouse;
  let deafness: Deafness;
  beforeEach(async () => {
    ({ leader, standby, deafness } = await givenSuccession((props) => new GivenHouse(props)));
  });
  afterEach(() => {
    leader.close();
    standby.close();
  });

  /** The spec becomes one after the other, and the leader does what is wanted. */
  async function wanted(...specs: readonly Data[]): Promise<void> {
    for (const data of specs) {
      await leader.givenWidget({ maps: { a: data } });
      await leader.pass();
    }
  }

  /** What the standby's second pass leaves: the first one meets what it has not heard of. */
  async function left(): Promise<unknown> {
    await expect(standby.pass()).rejects.toMatchObject({ reason: 'Conflict' });
    await standby.pass();
    return (await standby.read(ConfigMap, 'web-a'))['data'];
  }

  test.each<Row>([
    {
      when: 'its values were written last',
      heard: [
        { a: '1', b: '1', c: '1' },
        { a: '1', b: '1' },
      ],
      unheard: [{ a: '2', b: '2' }],
      last: { b: '2' },
    },
    {
      when: 'a field was added, and its value written',
      heard: [{ a: '1' }],
      unheard: [
        { a: '1', b: '1' },
        { a: '1', b: '2' },
      ],
      last: { a: '2' },
    },
    {
      when: 'fields came and went',
      heard: [{ a: '1' }],
      unheard: [{ b: '1' }, { b: '2' }],
      last: { c: '1' },
    },
  ])('R18 go when they are not wanted any more: $when', async ({ heard, unheard, last }) => {
    await wanted(...heard);
    deafness.begin(ConfigMap);
    await wanted(...unheard);
    await leader.givenWidget({ maps: { a: last } });
    expect(await left()).toEqual(last);
  });
});
