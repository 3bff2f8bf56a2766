import { describe, expect, it } from 'vitest';
import { groupKindOf } from '../../../../operator/runtime/kubernetes/kinds.js';
import { controlledByAnnotation, sharedAnnotation } from '../../../../operator/runtime/kubernetes/object.js';
import { isOwnedAlike, ownerAnnotation, ownerKeysOf } from '../../../../operator/runtime/ownership/ownership-labels.js';
import { configMap, live } from '../../../given.js';
import { widgetKind } from '../given/widgets.js';

const apiVersion = `${widgetKind.group}/${widgetKind.version}`;
const owner = (name: string, more = {}) => ({ apiVersion, kind: 'Widget', name, uid: name, controller: true, ...more });
const object = (metadata: object) => {
  const { metadata: own, ...rest } = configMap('a');
  return live({ ...rest, metadata: { ...own, namespace: 'team', ...metadata } } as never);
};
const named = `${groupKindOf(widgetKind)} elsewhere/d d`;
const sharers = ['b', 'c'].map((name) => owner(name, { controller: undefined }));

describe('the owner of an object', () => {
  it.each<{ keys: readonly string[]; when: string; metadata: object; kind?: object }>([
    { keys: ['team/b'], when: 'a resource controls it', metadata: { ownerReferences: [owner('b')] } },
    {
      keys: ['b'],
      when: 'that has no namespace',
      metadata: { ownerReferences: [owner('b')] },
      kind: { ...widgetKind, namespaced: false },
    },
    { keys: [], when: 'nobody does', metadata: {} },
    { keys: [], when: 'it is of another kind', metadata: { ownerReferences: [owner('b', { kind: 'Gadget' })] } },
    { keys: [], when: 'of another group', metadata: { ownerReferences: [owner('b', { apiVersion: 'x.io/v1' })] } },
    {
      keys: ['team/b'],
      when: 'of another version',
      metadata: { ownerReferences: [owner('b', { apiVersion: `${widgetKind.group}/v7` })] },
    },
    {
      keys: ['team/b', 'team/c'],
      when: 'two share it',
      metadata: { annotations: { [sharedAnnotation]: 'true' }, ownerReferences: sharers },
    },
    { keys: [], when: 'two are named that share nothing', metadata: { ownerReferences: sharers } },
    {
      keys: ['team/b'],
      when: 'its annotation says so',
      metadata: { annotations: { [controlledByAnnotation]: `${apiVersion} Widget b b` } },
    },
    {
      keys: ['elsewhere/d'],
      when: 'its annotation names a resource of another namespace',
      metadata: { annotations: { [ownerAnnotation]: named } },
    },
    {
      keys: ['team/b'],
      when: 'its annotation names another one than its owner reference',
      metadata: { annotations: { [ownerAnnotation]: named }, ownerReferences: [owner('b')] },
    },
  ])('is $keys when $when', ({ keys, metadata, kind }) => {
    expect(ownerKeysOf(object(metadata), (kind ?? widgetKind) as never)).toEqual(keys);
  });

  const [annotations, ownerReferences] = [{ a: 'b' }, [owner('b')]];
  it.each([
    { same: true, when: 'both are the same', metadata: { annotations, ownerReferences } },
    { same: false, when: 'an owner came', metadata: { annotations, ownerReferences: [...ownerReferences] } },
    { same: false, when: 'an annotation came', metadata: { annotations: { ...annotations }, ownerReferences } },
  ])('has not changed: $same, when $when', ({ same, metadata }) => {
    expect(isOwnedAlike(object({ annotations, ownerReferences }), object(metadata))).toBe(same);
  });
});
