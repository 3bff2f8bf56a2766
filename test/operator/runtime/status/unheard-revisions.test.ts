import { afterEach, expect, test } from 'vitest';
import { ConfigMap, ControllerRevision } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Loose } from '../../../given.js';
import { givenSuccession } from '../given/deaf.js';
import { GivenHouse } from '../given/house.js';
import { widgetController, widgetKind } from '../given/widgets.js';

const open: GivenHouse[] = [];
afterEach(() => {
  for (const house of open.splice(0)) house.close();
});

const bad = { rejected: 'no' };

test('R27 the last accepted spec that another process keeps outlives a pass over an edit of before', async () => {
  const controller = widgetController({ keepsRevisions: 'whenRejected' });
  const { leader, standby, deafness } = await givenSuccession((props) => {
    const house = new GivenHouse({ ...props, controller });
    open.push(house);
    return house;
  });
  await leader.givenWidget(bad);
  await leader.pass();
  await leader.givenWidget({ maps: { a: { size: '1' } } });
  deafness.begin(widgetKind);
  await leader.pass();
  await leader.givenWidget({ maps: { a: { size: '2' } } });
  await leader.pass();
  await leader.givenWidget(bad);
  await leader.pass();
  expect(await leader.names(ControllerRevision)).toHaveLength(1);
  await standby.pass().catch(() => {}); // it looks at the second edit, whose status says that the first was rejected
  expect(await leader.names(ControllerRevision)).toHaveLength(1);
});

test.each([
  { other: 'accepted', keepsRevisions: 'whenRejected', left: undefined },
  { other: 'accepted', keepsRevisions: 'always', left: '2' },
  { other: 'accepted, and then rejected the next', keepsRevisions: 'whenRejected', left: '2' },
  { other: 'accepted, and then rejected the next', keepsRevisions: 'always', left: '2' },
] as const)(
  'R27 is no older spec that this process accepted last, having looked at an old copy, when another $other, revisions kept $keepsRevisions',
  async ({ other, keepsRevisions, left }) => {
    const house = new GivenHouse({ controller: widgetController({ keepsRevisions }) });
    open.push(house);
    await house.givenWidget({ maps: { a: { size: '1' } } });
    await house.pass();
    const old = await house.widget();
    house.restart();
    await house.givenWidget({ maps: { a: { size: '2' } } });
    await house.pass();
    await house.givenWidget(bad);
    if (other !== 'accepted') await house.pass();
    house.restart();
    house.place.lastAcceptedSpecs.note(old);
    await house.removed(ConfigMap, 'web-a');
    await house.pass();
    const there = (await house.find(ConfigMap, { namespace: 'team', name: 'web-a' })) as Loose | undefined;
    expect(there?.['data']?.size).toBe(left);
  },
);
