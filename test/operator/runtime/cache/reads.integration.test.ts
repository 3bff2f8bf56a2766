import { describe, expect, test } from 'vitest';
import type { ControllerProps } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { readerController, secret, themed } from '../given/readers.js';
import { givenRealHouse, somebody } from '../given/real-house.js';
import type { WidgetSpec } from '../given/widgets.js';

const { conditions, desire, assess, owns, reads } = readerController;
/** The declaration that these reads came from. */
const declared: ControllerProps['reads'] = () => reads;

const house = givenRealHouse({
  controller: () => ({ conditions, desire, assess, owns, reads: declared as never }),
  hasItsRights: true,
});

const saw = async (name: string) => (await house().read(ConfigMap, `${name}-saw`))?.['data'];
const write = (object: Manifest) => {
  const kind = object.kind === 'Secret' ? Secret : ConfigMap;
  const { stringData, ...content } = encoded(object);
  return house().cluster.apply(kind, { ...content, ...(stringData && { stringData }) } as Manifest, somebody);
};

/** A real API server wants the values of Secrets encoded. */
function encoded(object: Manifest): Manifest & { readonly stringData?: object } {
  if (object.kind !== 'Secret') return object;
  const { data, ...content } = object as Manifest & { readonly data: object };
  return { ...content, stringData: data };
}
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('on a real API server, under no other rights', () => {
  test('a reconcile sees referenced objects that exist before it, appear, change or are deleted', async () => {
    const { namespace } = house();
    await write(themed('first', 'dark', 'grey', namespace));
    await house().apply('web', { key: 'k', theme: 'dark' } as WidgetSpec);
    await house().until(async () => (await saw('web'))?.themes === 'first=grey');
    expect(await saw('web')).toEqual({ key: 'nothing', more: '', themes: 'first=grey' });

    await write(secret('k', 'red', namespace));
    await house().until(async () => (await saw('web'))?.key === base64('red'));
    await house().until(async () => (await house().condition('web', 'Read')) === 'True Complete');
    await write(secret('k', 'green', namespace));
    await house().until(async () => (await saw('web'))?.key === base64('green'));
    await write(themed('second', 'dark', 'black', namespace));
    await house().until(async () => (await saw('web'))?.themes === 'first=grey,second=black');
    await house().kubectl(['delete', 'secret', 'k', '--namespace', namespace]);
    await house().until(async () => (await saw('web'))?.key === 'nothing');
  });

  test('an object that exists before its first reference is read once', async () => {
    const { controlPlane, namespace } = house();
    // Events of a kind are in order: a store with the second has the first.
    await house().apply('marker', { key: 'second' } as WidgetSpec);
    await write(secret('old', 'red', namespace));
    await write(secret('second', 'blue', namespace));
    await house().until(async () => (await saw('marker'))?.key === base64('blue'));
    const since = await controlPlane.auditPosition();
    await house().apply('late', { key: 'old' } as WidgetSpec);
    await house().until(async () => (await saw('late'))?.key === base64('red'));
    await house().apply('later', { key: 'old' } as WidgetSpec);
    await house().until(async () => (await saw('later'))?.key === base64('red'));
    const asked = (await controlPlane.requests(since)).filter(({ user, uri }) => {
      return user === house().kind.group && uri.includes('/secrets/old');
    });
    expect(asked.map(({ verb }) => verb)).toEqual(['get']);
    const denied = (await controlPlane.requests()).filter(({ user, denied }) => user === house().kind.group && denied);
    expect(denied).toEqual([]);
  });
});
