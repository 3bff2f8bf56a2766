import { afterEach, expect, test } from 'vitest';
import { ControllerRevision } from '../../../operator/runtime/kinds.js';
import { givenSuccession } from './given-deaf.js';
import { GivenHouse } from './given-house.js';
import { widgetController, widgetKind } from './given-widgets.js';

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
