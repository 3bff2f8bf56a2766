import { afterEach, expect, it, test } from 'vitest';
import { ConfigMap, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { withoutText } from '../../../../operator/runtime/rendering/render.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';
import { add, type Widget, widgetController } from '../given/widgets.js';

const secret = (content: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, ...content });

it.each([
  { states: 'text', has: { stringData: { a: 'ä', b: '' } }, becomes: { data: { a: 'w6Q=', b: '' } } },
  {
    states: 'both',
    has: { data: { a: 'MQ==', b: 'Mg==' }, stringData: { a: '3' } },
    becomes: { data: { a: 'Mw==', b: 'Mg==' } },
  },
  { states: 'data', has: { data: { a: 'MQ==' } }, becomes: { data: { a: 'MQ==' } } },
  { states: 'what is no text', has: { stringData: { a: 1 } }, becomes: { stringData: { a: 1 } } },
  { states: 'no record', has: { stringData: 'a' }, becomes: { stringData: 'a' } },
])('R18 a Secret that states $states is as the API server keeps it', ({ has, becomes }) => {
  expect(withoutText(Secret, secret(has))).toEqual(secret(becomes));
  expect(withoutText(ConfigMap, secret(has))).toEqual(secret(has));
});

let house: GivenHouse;
afterEach(() => house?.close());

test('R18 what is stated as text of a Secret is mended, and goes when it is wanted no more', async () => {
  const controller = widgetController({
    owns: [Secret],
    desire: (scope, { resource }) => {
      add(scope, 'v1', 'Secret', 'web', { stringData: (resource as Widget).spec.maps?.['a'] });
    },
  });
  house = new GivenHouse({ controller });
  await house.givenWidget({ maps: { a: { user: 'me', password: 'old' } } });
  await house.pass();
  const wrong = [{ op: 'replace', path: '/data/password', value: 'd3Jvbmc=' }] as const;
  await house.memory.patch(Secret, { namespace: 'team', name: 'web' }, wrong, somebody);
  await settled();
  await house.pass();
  expect(await house.read(Secret, 'web')).toMatchObject({ data: { password: 'b2xk' } });
  await house.givenWidget({ maps: { a: { user: 'me' } } });
  await house.pass();
  expect((await house.read(Secret, 'web'))['data']).toEqual({ user: 'bWU=' });
  expect(await house.pass()).toEqual([]);
});
