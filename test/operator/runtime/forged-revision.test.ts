import { afterEach, expect, it } from 'vitest';
import { ControllerRevision } from '../../../operator/runtime/kinds.js';
import type { Manifest } from '../../../operator/runtime/object.js';
import { GivenHouse } from './given-house.js';
import { conditionOf } from './given-widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

const deep = () => {
  let value: object = {};
  for (let level = 0; level < 1_500; level++) value = { in: value };
  return value;
};
const theirs = { maps: { z: { size: '9' } } };

it.each([
  { what: 'nested deeper than anybody looks through', data: { spec: { maps: deep() } }, revision: 1 },
  { what: 'of a generation that is to come', data: { spec: theirs }, revision: 1e300 },
  { what: 'of no generation', data: { spec: theirs }, revision: -5 },
  { what: 'without a spec', data: {}, revision: 1 },
])('R27 a revision of somebody else that is $what is none, and goes with the next accepted spec', async (row) => {
  house = new GivenHouse();
  await house.givenWidget({ rejected: 'no' });
  await house.pass();
  const { uid } = (await house.widget()).metadata;
  const labels = { 'reconstruct.dev/accepted-by': 'widget', 'reconstruct.dev/accepted-of': uid };
  const owner = { apiVersion: 'example.org/v1', kind: 'Widget', name: 'web', uid, controller: true };
  const metadata = { name: 'forged', namespace: 'team', labels, ownerReferences: [owner] };
  const { data, revision } = row;
  const forged = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, data, revision };
  await house.given(ControllerRevision, forged as Manifest);
  house.restart();
  expect(await house.pass()).toEqual([]);
  expect(conditionOf(await house.widget(), 'Accepted')).toMatchObject({ status: 'False', message: 'no' });
  await house.givenWidget({ maps: { b: {} } });
  expect(await house.pass()).toContain('create ConfigMap team/web-b');
  expect(await house.names(ControllerRevision)).toEqual([]);
});
