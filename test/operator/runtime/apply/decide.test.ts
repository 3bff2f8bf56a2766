import { beforeEach, describe, expect, it } from 'vitest';
import { decide, type Wanted } from '../../../../operator/runtime/apply/decide.js';
import type { Answer, Apply, Change, Decision, RefusedChange } from '../../../../operator/runtime/apply/decision.js';
import { keep } from '../../../../operator/runtime/apply/send.js';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { AppliedState } from '../../../../operator/runtime/memory/applied-state.js';
import { WriteGuard } from '../../../../operator/runtime/memory/write-guard.js';
import { withOwnershipLabels } from '../../../../operator/runtime/ownership/wish.js';
import type { Desired } from '../../../../operator/runtime/rendering/render.js';
import { FakeClock } from '../../fake-clock.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

const controller = widgetController();
const resource = widget('one', {}, { uid: 'widget-1', resourceVersion: '1', generation: 1 }) as CustomResource;

/** A ConfigMap, with fields that only its kind has. */
const manifest = (data: object) =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'one-a', namespace: 'team' },
    data,
  }) as Desired['manifest'];

const desired = (changed: Partial<Desired> = {}): Desired => ({
  kind: ConfigMap,
  key: 'team/one-a' as Desired['key'],
  manifest: manifest({ size: '2' }),
  ...{ wave: 0, replace: 'never', once: false, crossNamespace: false },
  ...changed,
});

let wanted: Wanted;
beforeEach(() => {
  wanted = wantedOf(desired());
});

function wantedOf(one: Desired): Wanted {
  const by = { controller: controller.name, kind: widgetKind, owner: resource };
  const memory = { appliedState: new AppliedState(), writeGuard: new WriteGuard(new FakeClock()) };
  return { controller, resource, ...memory, desired: one, wish: withOwnershipLabels(one, by) };
}

/** The object as an apply of other content left it. */
function live(data: object, metadata: object = {}): LiveObject {
  const before = wantedOf(desired({ manifest: manifest(data) })).wish;
  return { ...before, metadata: { ...before.metadata, uid: 'map-1', resourceVersion: '7', ...metadata } } as LiveObject;
}

const error = (code: number, reason: string, fields: readonly string[] = []) =>
  new ApiError(`${reason} of a test`, { code, reason, fields } as ConstructorParameters<typeof ApiError>[1]);

/** A decision in short. */
const told = (decision: Decision) =>
  decision.do === 'block' ? decision.blocker.reason : `${decision.do}${'why' in decision ? ` ${decision.why}` : ''}`;

const changeOf = (object: LiveObject): Change => ({ desired: wanted.desired, wish: wanted.wish, live: object });
const refusedOf = (object: LiveObject): RefusedChange => ({
  ...changeOf(object),
  ...{ looked: object, refusal: error(422, 'Invalid', ['data']) },
});
const createOf = (why: 'missing' | 'again' | 'trial') =>
  ({ do: 'create', desired: wanted.desired, wish: wanted.wish, why, refused: refusedOf(live({ size: '1' })) }) as const;
const applyOf = (object: LiveObject): Apply => ({
  do: 'apply',
  change: changeOf(object),
  looked: object,
  whole: undefined,
});

describe('the first decision about an object', () => {
  it.each<{ is: string; object?: LiveObject; decision: string }>([
    { is: 'is missing', decision: 'create missing' },
    { is: 'has other content', object: live({ size: '1' }), decision: 'apply' },
    { is: 'is as desired', object: live({ size: '2' }), decision: 'rest' },
    {
      is: 'is being deleted',
      object: live({}, { deletionTimestamp: '2030-01-01T00:00:00Z' }),
      decision: 'ObjectTerminating',
    },
    { is: 'belongs to another owner', object: live({}, { ownerReferences: [], labels: {} }), decision: 'NotOwned' },
    {
      is: 'was created, and loses a field',
      object: live(
        { size: '1', more: '1' },
        {
          managedFields: [{ manager: 'reconstruct-widget', operation: 'Update' }],
        },
      ),
      decision: 'read handover',
    },
  ])('is "$decision" if it $is', ({ object, decision }) => {
    expect(told(decide(wanted, { live: object }))).toBe(decision);
  });

  it('is a patch of the mark if an object that is created once has lost its label', () => {
    const once = wantedOf(desired({ once: true }));
    expect(told(decide(once, { live: live({ size: '1' }) }))).toBe('rest');
    expect(told(decide(once, { live: live({ size: '1' }, { labels: {} }) }))).toBe('patch mark');
  });

  it('is a patch of the owners if a shared object has other owners', () => {
    const shared = wantedOf(desired({ kind: { ...ConfigMap, shared: true } }));
    const others = [{ apiVersion: 'example.org/v1', kind: 'Widget', name: 'two', uid: 'widget-2' }];
    const decision = decide(shared, { live: live({}, { ownerReferences: others }) });
    expect(decision).toMatchObject({ do: 'patch', why: 'join', operations: [{ op: 'add' }] });
  });
});

describe('the decision after an answer', () => {
  it.each<{ after: string; answer: () => Answer; decision: string }>([
    { after: 'a create', answer: () => ({ to: createOf('missing'), live: live({}) }), decision: 'rest' },
    {
      after: 'a create of a name that is taken',
      answer: () => ({ to: createOf('missing'), error: error(409, 'AlreadyExists') }),
      decision: 'read taken',
    },
    {
      after: 'a create in a namespace that is being deleted',
      answer: () => ({ to: createOf('missing'), error: error(403, 'NamespaceTerminating') }),
      decision: 'NamespaceTerminating',
    },
    {
      after: 'a read of the object that has the name',
      answer: () => ({ to: { do: 'read', desired: wanted.desired, why: 'taken' }, live: live({ size: '1' }) }),
      decision: 'apply',
    },
    { after: 'an apply', answer: () => ({ to: applyOf(live({})), live: live({ size: '2' }) }), decision: 'rest' },
    {
      after: 'an apply that is invalid',
      answer: () => ({ to: applyOf(live({ size: '1' })), error: error(422, 'Invalid', ['data']) }),
      decision: 'create trial',
    },
    {
      after: 'a trial that shows that only the change is invalid',
      answer: () => ({ to: createOf('trial'), error: error(409, 'AlreadyExists') }),
      decision: 'read immutable',
    },
    {
      after: 'a read of an object whose change is invalid, and which must not be recreated',
      answer: () => {
        const refused = refusedOf(live({ size: '1' }));
        return {
          to: { do: 'read', desired: wanted.desired, why: 'immutable', refused, same: refused.looked },
          live: refused.looked,
        };
      },
      decision: 'ImmutableField',
    },
    {
      after: 'a deletion that leaves the object for now',
      answer: () => ({ to: recreate(), live: live({}) }),
      decision: 'ObjectTerminating',
    },
    { after: 'a deletion', answer: () => ({ to: recreate() }), decision: 'create again' },
    {
      after: 'a create of a deleted object',
      answer: () => ({ to: createOf('again'), live: live({}) }),
      decision: 'rest',
    },
  ])('is "$decision" after $after', ({ answer, decision }) => {
    expect(told(decide(wanted, answer()))).toBe(decision);
  });

  it('reports a missing object if an earlier reconcile has observed the spec', () => {
    const observed = { ...resource, status: { observedGeneration: 1 } };
    const created: Answer = { to: createOf('missing'), live: live({}) };
    expect(decide(wanted, created).news).toBeUndefined();
    expect(decide({ ...wanted, resource: observed }, created).news).toEqual({ isMissing: true });
  });

  it('reports the fields that are reverted', () => {
    const { labels, annotations } = wanted.wish.metadata;
    const drifted = { ...live({ size: '1' }), metadata: { ...live({}).metadata, labels, annotations } } as LiveObject;
    expect(decide(wanted, { live: drifted })).toMatchObject({ do: 'apply', news: { reverts: ['data.size'] } });
  });

  it('is a recreation of an object that allows it', () => {
    wanted = wantedOf(desired({ replace: 'recreate' }));
    const refused = refusedOf(live({ size: '1' }, { managedFields: [] }));
    const to = { do: 'read', desired: wanted.desired, why: 'immutable', refused, same: refused.looked } as const;
    expect(decide(wanted, { to, live: refused.looked })).toMatchObject({ do: 'recreate', why: 'data' });
  });

  it.each([
    [
      { holdsData: true },
      'ConfigMap one-a: data is immutable: revert the edit, or delete the ConfigMap, which deletes its data, to have it recreated',
    ],
    [{}, 'ConfigMap one-a: data is immutable: revert the edit, or delete the ConfigMap to have it recreated'],
  ])('says what a deletion loses, for %j', (changed, message) => {
    wanted = wantedOf(desired(changed));
    const refused = refusedOf(live({ size: '1' }, { managedFields: [] }));
    const to = { do: 'read', desired: wanted.desired, why: 'immutable', refused, same: refused.looked } as const;
    expect(decide(wanted, { to, live: refused.looked })).toMatchObject({ do: 'block', blocker: { message } });
  });

  it('remembers nothing itself, and tells what to remember', () => {
    const { labels, annotations } = wanted.wish.metadata;
    const drifted = { ...live({ size: '1' }), metadata: { ...live({}).metadata, labels, annotations } } as LiveObject;
    const counts = [1, 2].map(() => decide(wanted, { live: drifted }).memo?.writes?.series?.times.get('data.size'));
    expect(counts).toEqual([[0], [0]]);
    expect(wanted.writeGuard.breaker.size).toBe(0);
    const applied = decide(wanted, { to: applyOf(drifted), live: live({ size: '2' }) });
    expect(applied.memo).toEqual({ applied: { live: live({ size: '2' }), wish: wanted.wish } });
  });

  it('forgets that a change was rejected once the change or the object is another one', () => {
    const object = live({ size: '1' });
    const blocker = { reason: 'ImmutableField', message: 'no', requeueAfter: 60_000 } as const;
    keep({ blocked: { live: object, wish: wanted.wish, blocker } }, wanted);
    expect(told(decide(wanted, { live: object }))).toBe('ImmutableField');
    const other = { ...wanted, wish: wantedOf(desired({ manifest: manifest({ size: '3' }) })).wish };
    keep(decide(other, { live: object }).memo ?? {}, other);
    expect(told(decide(wanted, { live: object }))).toBe('apply');
  });

  it('does not count a write that the API server rejects as invalid', () => {
    const { labels, annotations } = wanted.wish.metadata;
    const drifted = { ...live({ size: '1' }), metadata: { ...live({}).metadata, labels, annotations } } as LiveObject;
    keep(decide(wanted, { live: drifted }).memo ?? {}, wanted);
    const timesOf = () => wanted.writeGuard.breaker.of('map-1')?.times.get('data.size');
    expect(timesOf()).toHaveLength(1);
    const invalid = decide(wanted, { to: applyOf(drifted), error: error(422, 'Invalid', ['data']) });
    expect(told(invalid)).toBe('create trial');
    keep(invalid.memo ?? {}, wanted);
    expect(timesOf()).toHaveLength(0);
  });

  it.each<{ after: string; answer: () => Answer; message: string }>([
    {
      after: 'a conflict',
      answer: () => ({ to: applyOf(live({})), error: error(409, 'Conflict') }),
      message: 'Conflict of a test',
    },
    {
      after: 'a trial that succeeds',
      answer: () => ({ to: createOf('trial'), live: live({}) }),
      message: 'Invalid of a test',
    },
    {
      after: 'a read of an object that is gone again',
      answer: () => ({ to: { do: 'read', desired: wanted.desired, why: 'taken' } }),
      message: 'ConfigMap one-a was deleted while it was being created',
    },
  ])('is none after $after: the error ends the reconcile', ({ answer, message }) => {
    expect(() => decide(wanted, answer())).toThrow(message);
  });
});

const recreate = () =>
  ({ do: 'recreate', desired: wanted.desired, wish: wanted.wish, live: live({}), why: 'data' }) as const;
