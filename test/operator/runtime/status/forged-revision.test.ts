import { afterEach, expect, it } from 'vitest';
import { ControllerRevision } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { GivenHouse } from '../given/house.js';
import { conditionOf } from '../given/widgets.js';

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

it('R27 says that a last accepted spec is kept in memory alone where somebody has the name of its revision', async () => {
  house = new GivenHouse();
  await house.givenWidget({ maps: { a: { size: '1' } } });
  await house.pass();
  const squatting = house.memory.create.bind(house.memory);
  house.memory.create = async (kind, object, options) => {
    if (kind !== ControllerRevision) return squatting(kind, object, options);
    const { apiVersion, metadata, ...rest } = object as Manifest;
    const bare = { ...rest, apiVersion, metadata: { name: metadata.name, namespace: 'team' } };
    await squatting(kind, bare as Manifest, { manager: 'somebody' }).catch(() => {});
    return squatting(kind, object, options);
  };
  const told: string[] = [];
  const warn = (...words: unknown[]) => told.push(JSON.stringify(words));
  house.place = { ...house.place, telemetry: { ...silent, log: { ...silent.log, warn } } };
  await house.givenWidget({ maps: { a: { size: '1' } }, rejected: 'no' });
  await house.pass();
  expect(told.join('\n')).toMatch(
    /belongs to another owner: delete it.*Failed to store the last accepted spec, keeping it in memory/s,
  );
});
