import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { ConfigMap, type LiveSecret, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Loose } from '../../../given.js';
import { GivenHouse } from '../given/house.js';
import { type ReaderSpec, reader, readerKind, requiringController, secret } from '../given/readers.js';
import { conditionOf } from '../given/widgets.js';

/** The same controller, which counts the calls of `desire`. */
let calls = 0;
const counting = {
  ...requiringController,
  desire: (...given: Parameters<Controller['desire']>) => {
    calls++;
    requiringController.desire(...given);
  },
} as Controller;

let house: GivenHouse;
afterEach(() => house.close());

async function given(spec: ReaderSpec, secrets: readonly string[]) {
  house = new GivenHouse({ controller: counting });
  for (const name of secrets) await house.given(Secret, secret(name, name));
  await house.given(readerKind, reader('web', spec));
  await house.pass();
}

const accepted = async () => conditionOf(await house.read(readerKind, 'web'), 'Accepted') as Loose;
const uid = async () => (await house.read(ConfigMap, 'web-saw')).metadata.uid;

describe('an object that a controller requires', () => {
  test('is there when desire is called', async () => {
    await given({ key: 'a', more: ['b'] }, ['a', 'b']);
    expect(await house.read(ConfigMap, 'web-saw')).toMatchObject({ data: { names: 'a,b' } });
    expect(await accepted()).toMatchObject({ status: 'True' });
  });

  test('is waited for without a call of desire, and the condition names all that are missing', async () => {
    calls = 0;
    await given({ key: 'a', more: ['b', 'c', 'd'] }, ['c']);
    expect(calls).toBe(0);
    expect(await house.names(ConfigMap)).toEqual([]);
    const message =
      'Secret a does not exist in namespace team: create it; Secret b does not exist in namespace team: create it; ' +
      'Secret d does not exist in namespace team: create it';
    expect(await accepted()).toMatchObject({ status: 'False', reason: 'SecretMissing', message });
    for (const name of ['a', 'b', 'd']) await house.given(Secret, secret(name, name));
    await house.pass();
    expect(await accepted()).toMatchObject({ status: 'True' });
    expect(await house.read(ConfigMap, 'web-saw')).toMatchObject({ data: { names: 'a,b,c,d' } });
  });

  test('leaves all objects as they are when it goes, and the same objects when it is back', async () => {
    await given({ key: 'a' }, ['a']);
    const before = await uid();
    await house.removed(Secret, 'a');
    await house.pass();
    expect(await uid()).toBe(before);
    expect(await accepted()).toMatchObject({
      status: 'False',
      reason: 'SecretMissing',
      message: expect.stringContaining('so its objects stay unchanged'),
    });
    house.restart();
    await house.pass();
    expect(await uid()).toBe(before);
    await house.given(Secret, secret('a', 'new'));
    await house.pass();
    expect(await uid()).toBe(before);
    expect(await accepted()).toMatchObject({ status: 'True' });
  });

  test('may be left out where the name is optional', async () => {
    await given({ key: 'a' }, ['a']);
    expect(await accepted()).toMatchObject({ status: 'True' });
    await house.given(readerKind, reader('web', { key: 'a', topic: 'b' }));
    await house.pass();
    expect(await accepted()).toMatchObject({
      reason: 'SecretMissing',
      message: expect.stringContaining('Secret b does not exist in namespace team: create it'),
    });
  });
});

test('the type of a required object has no undefined in desire, unless its name is optional', () => {
  defineController({
    kind: readerKind,
    owns: [ConfigMap],
    conditions: {},
    reads: ({ required, eachRequired }) => ({
      key: required(Secret, ({ spec }) => spec.key ?? 'none'),
      optional: required(Secret, ({ spec }) => spec.topic),
      more: eachRequired(Secret, ({ spec }) => spec.more),
    }),
    desire: (_, { reads }) => {
      expectTypeOf(reads.key).toEqualTypeOf<LiveSecret>();
      expectTypeOf(reads.optional).toEqualTypeOf<LiveSecret | undefined>();
      expectTypeOf(reads.more).toEqualTypeOf<readonly LiveSecret[]>();
    },
    assess: ({ reads }) => {
      expectTypeOf(reads.key).toEqualTypeOf<LiveSecret | undefined>();
      return { conditions: {} };
    },
  });
});
