import { describe, expect, it } from 'vitest';
import { crossNamespace } from '../../../../operator/runtime/controller/owned-kinds.js';
import { rbacRulesOf } from '../../../../operator/runtime/controller/rbac-rules.js';
import { type Reads, refer } from '../../../../operator/runtime/controller/reads.js';
import { ConfigMap, type ObjectKind, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { widgetController, widgetKind } from '../given/widgets.js';

describe('a controller', () => {
  it('has a name, and informs of nothing and finalizes nothing, unless it says so', () => {
    expect(widgetController()).toMatchObject({ name: 'widget', informationalConditions: [], finalizes: false });
    expect(widgetController({ name: 'web', finalizes: true })).toMatchObject({ name: 'web', finalizes: true });
  });

  it.each(['Ready', 'Accepted', 'Stalled', 'Reconciling', 'Conflicted'])('may not declare %s', (type) => {
    const conditions = { [type]: { Good: ['True', 'so'] } } as const;
    expect(() => widgetController({ conditions })).toThrow(
      `controller widget: condition ${type} is reserved for the runtime`,
    );
  });

  it('says for each reason of an alarm what to do, or for none', () => {
    const Unsafe = { Lost: ['True', 'A row is lost', 'Restore it.'], Split: ['True', 'Two lead'] } as const;
    const widget = (reasons: object) => widgetController({ conditions: { Unsafe: reasons } as never });
    expect(() => widget(Unsafe)).toThrow(
      'controller widget: condition Unsafe has the status True alone, and an action for some of its reasons: add one to Split, or a reason that is not True',
    );
    const { Lost, Split } = Unsafe;
    for (const reasons of [{ Lost }, { Split }, { ...Unsafe, None: ['Unknown', 'Nothing is known'] }])
      expect(widget(reasons).name).toBe('widget');
  });

  it('may not own a kind twice, as one of the two would be forgotten', () => {
    expect(() => widgetController({ owns: [ConfigMap, Secret, crossNamespace(ConfigMap)] })).toThrow(
      'controller widget: owns has ConfigMap twice: name it once, as crossNamespace(ConfigMap) if its objects may be in other',
    );
  });
});

describe('the rights of a controller', () => {
  const ownedStatus = { fields: new Set(['conditions']), conditions: new Set(['Ready']) };
  const declared = {
    kind: widgetKind,
    owns: [ConfigMap],
    watchesSiblings: [],
    reads: {},
    polls: {},
    calls: [],
    finalizes: false,
    ownedStatus,
  };
  const rights = (finalizes: boolean, reads: Reads = {}, keepsRevisions: 'whenRejected' | 'never' = 'never') =>
    rbacRulesOf({ ...declared, reads, finalizes, keepsRevisions }).map(
      ({ apiGroups, resources, verbs }) => `${resources.join()}.${apiGroups.join()}: ${verbs.join(' ')}`,
    );

  it('R33 are none to the status of what it says nothing of', () => {
    const silent = { fields: new Set(['conditions']), conditions: new Set<string>() };
    const granted = rbacRulesOf({ ...declared, ownedStatus: silent, keepsRevisions: 'never' });
    expect(granted.flatMap(({ resources }) => resources)).not.toContain('widgets/status');
  });

  it('R33 are these, and no other', () => {
    expect(rights(false)).toEqual([
      'widgets.example.org: list watch',
      'widgets/status.example.org: patch',
      'widgets/finalizers.example.org: update',
      'configmaps.: list watch get create update patch delete',
      'events.events.k8s.io: create patch',
    ]);
  });

  it('R33 include looking at what it reads, and no more', () => {
    const reads = { key: refer.named(Secret, () => 'key'), others: refer.matchingLabels(Secret, () => undefined) };
    expect(rights(false, reads).filter((right) => right.startsWith('secrets'))).toEqual(['secrets.: list watch get']);
  });

  it('R27 R33 include revisions of the spec where they are kept', () => {
    expect(rights(false, {}, 'whenRejected')).toContain('controllerrevisions.apps: list create delete');
  });

  it('R27 keeps no revisions of a kind of the whole cluster', () => {
    const kind = { ...widgetKind, namespaced: false } as ObjectKind;
    expect(widgetController({ kind }).keepsRevisions).toBe('never');
    expect(() => widgetController({ kind, keepsRevisions: 'always' })).toThrow('Widget is cluster-scoped');
  });

  it('R33 include the finalizer where it has one', () => {
    expect(rights(true)[0]).toBe('widgets.example.org: list watch get patch');
  });
});
