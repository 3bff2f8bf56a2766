import { afterEach, describe, expect, test } from 'vitest';
import { ConfigMap, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { adoptAnnotation, managerOf } from '../../../../operator/runtime/kubernetes/well-known-names.js';
import { createOnly } from '../../../../operator/runtime/rendering/object-policies.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';
import { add, conditionOf, type Widget, widgetController } from '../given/widgets.js';

let house: GivenHouse;
afterEach(() => house.close());

/** A Widget makes a password for each of its maps, and draws another one in each pass. */
function open(): GivenHouse {
  let draws = 0;
  const controller = widgetController({
    owns: [ConfigMap, Secret],
    desire: (scope, { resource }) => {
      for (const end of Object.keys((resource as Widget).spec.maps ?? {})) {
        createOnly(add(scope, 'v1', 'Secret', `web-${end}`, { stringData: { password: String(++draws) } }));
        add(scope, 'v1', 'ConfigMap', `web-${end}`, { data: { name: end } });
      }
    },
  });
  house = new GivenHouse({ controller });
  return house;
}

const password = async () => Buffer.from((await house.read(Secret, 'web-a'))['data'].password, 'base64').toString();

describe('an object that is made once', () => {
  test('is made, says that an edit of it stays, and is never written again', async () => {
    const house = open();
    await house.givenWidget();
    expect(await house.pass()).toContain('create Secret team/web-a');
    expect((await house.read(Secret, 'web-a')).metadata.annotations).toMatchObject({ 'reconstruct.dev/once': 'true' });
    for (let n = 0; n < 3; n++) expect(await house.pass()).toEqual([]);
    house.restart();
    expect(await house.pass()).toEqual([]);
    expect(await password()).toBe('1');
  });

  test('keeps the edits of users, while its siblings are repaired', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    const edit = (path: string) => [{ op: 'replace', path, value: 'edited' }] as const;
    await house.memory.patch(Secret, { namespace: 'team', name: 'web-a' }, edit('/data/password'), somebody);
    await house.memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, edit('/data/name'), somebody);
    expect(await house.pass()).toEqual(['apply ConfigMap team/web-a']);
    expect((await house.read(Secret, 'web-a'))['data']).toEqual({ password: 'edited' });
  });

  test('is recreated after a deletion', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    await house.removed(Secret, 'web-a');
    expect(await house.pass()).toEqual(['create Secret team/web-a']);
  });

  test('is deleted when `desire` no longer renders it', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    await house.givenWidget({ maps: {} });
    expect(await house.pass()).toContain('remove Secret team/web-a');
  });

  test('is left alone if it has another owner', async () => {
    const house = open();
    await house.given(Secret, { ...configMap('web-a', {}), kind: 'Secret' });
    await house.givenWidget();
    await house.pass();
    expect(conditionOf(await house.widget(), 'Conflicted')).toMatchObject({ status: 'True', reason: 'NotOwned' });
  });

  test('keeps what it holds when it gets its label back, though it was applied as a whole before it was made once', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    const { apiVersion, kind, metadata, data } = await house.read(Secret, 'web-a');
    const { name, namespace, labels, ownerReferences } = metadata;
    const applied = { apiVersion, kind, metadata: { name, namespace, labels, ownerReferences }, data };
    await house.removed(Secret, name);
    await house.memory.apply(Secret, applied, { manager: managerOf('widget') });
    await house.memory.patch(Secret, { namespace, name }, [{ op: 'remove', path: '/metadata/labels' }], somebody);
    await settled();
    expect(await house.pass()).toContain('patch Secret team/web-a');
    expect(await house.read(Secret, 'web-a')).toMatchObject({ data, metadata: { labels } });
  });

  test('keeps what it holds when it is handed over, and gets its owner beside those that it has', async () => {
    const house = open();
    const other = { apiVersion: 'example.org/v1', kind: 'Keeper', name: 'other', uid: 'other' };
    const handed = { name: 'web-a', namespace: 'team', annotations: { [adoptAnnotation]: 'team/web' } };
    await house.given(Secret, {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { ...handed, ownerReferences: [other] } },
      ...{ stringData: { password: 'theirs', more: '1' } },
    });
    const widget = await house.givenWidget();
    await house.pass();
    const secret = await house.read(Secret, 'web-a');
    expect(secret).toMatchObject({ stringData: { password: 'theirs', more: '1' } });
    expect(secret.metadata.ownerReferences).toMatchObject([other, { uid: widget.metadata.uid, controller: true }]);
    expect(await house.pass()).toEqual([]);
  });

  test('that lost the label by which it is seen gets it back, and keeps what it holds', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    const hidden = [{ op: 'remove', path: '/metadata/labels' }] as const;
    await house.memory.patch(Secret, { namespace: 'team', name: 'web-a' }, hidden, somebody);
    await settled();
    expect(await house.pass()).toContain('patch Secret team/web-a');
    expect(await password()).toBe('1');
    expect(await house.pass()).toEqual([]);
  });

  test('that was made and left without an owner is taken back as it is', async () => {
    const house = open();
    await house.givenWidget();
    await house.pass();
    const disown = [{ op: 'remove', path: '/metadata/ownerReferences' }] as const;
    await house.memory.patch(Secret, { namespace: 'team', name: 'web-a' }, disown, somebody);
    expect(await house.pass()).toEqual(['patch Secret team/web-a']);
    expect(await password()).toBe('1');
    expect(await house.pass()).toEqual([]);
  });
});
