import { afterEach, describe, expect, it, test } from 'vitest';
import type { Controller, ControllerProps } from '../../../../operator/runtime/controller/controller.js';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenHouse, somebody } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { add, conditionOf, type Widget, widget, widgetController, widgetKind } from '../given/widgets.js';

let house: GivenHouse | undefined;
afterEach(() => {
  house?.close();
  house = undefined;
});

function open(changes: Parameters<typeof widgetController>[0]): GivenHouse {
  house = new GivenHouse({ controller: widgetController(changes) });
  return house;
}

const minute = 60_000;

/** A Widget whose deletion waits for the finalizer of its ConfigMap. */
async function leaving(changes: Parameters<typeof widgetController>[0] = {}): Promise<GivenHouse> {
  const house = open({ finalizes: true, ...changes });
  await house.givenWidget({ maps: { a: {} } });
  await house.pass();
  await house.given(ConfigMap, configMap('web-a', { finalizers: ['example.org/theirs'] }));
  await house.removed(widgetKind, 'web');
  return house;
}

/** Somebody annotates the Widget. */
async function annotated(house: GivenHouse, annotations: Readonly<Record<string, string>>): Promise<void> {
  const name = { namespace: 'team', name: 'web' };
  await house.memory.patch(
    widgetKind,
    name,
    [{ op: 'add', path: '/metadata/annotations', value: annotations }],
    somebody,
  );
  await settled();
}

/** Every end of a deletion that cannot be undone, and who brought it about. */
const stubborn: { when: string; changes: Parameters<typeof widgetController>[0]; held?: string }[] = [
  { when: 'an object is held by a finalizer', changes: {}, held: ' (held by finalizer example.org/theirs)' },
  {
    when: 'desire always wants something',
    changes: {
      desire: (scope) => {
        add(scope, 'v1', 'ConfigMap', 'web-a');
      },
    },
  },
  {
    when: 'desire rejects the spec',
    changes: {
      desire: (scope, { resource }) => {
        if (resource.metadata.deletionTimestamp) throw new RejectedError('NotPossible', 'set size to 1');
        for (const end of Object.keys((resource as Widget).spec.maps ?? {}))
          add(scope, 'v1', 'ConfigMap', `web-${end}`);
      },
    },
  },
];

describe('a deletion whose passes fail', () => {
  let given: GivenOperator;
  afterEach(async () => {
    await given.stop();
    await given.ended;
  });

  /** Its Widget has been deleted ten minutes ago. */
  async function failing(finalizes: ControllerProps['finalizes']): Promise<GivenOperator> {
    const desire: Controller['desire'] = (scope, { resource }) => {
      if (resource.metadata.deletionTimestamp) throw new Error('boom');
      add(scope, 'v1', 'ConfigMap', 'web-a');
    };
    given = new GivenOperator({ controllers: [widgetController({ finalizes, desire })] });
    await given.start();
    await given.given(widgetKind, widget('web'));
    const { uid } = (await given.widget())?.metadata ?? { uid: '' };
    await given.memory.remove(widgetKind, { namespace: 'team', name: 'web' }, { uid });
    await given.clock.advance(10 * minute);
    return given;
  }

  test('R28 waits out no backoff when a person lets it go', async () => {
    const given = await failing(true);
    const { uid } = (await given.widget())?.metadata ?? { uid: '' };
    const before = given.passes.length;
    const metadata = { finalizers: [], annotations: { 'reconstruct.dev/release': uid } };
    await given.given(widgetKind, widget('web', undefined, metadata));
    expect(given.passes.slice(before)).toEqual(['success']);
    expect(await given.widget()).toBeUndefined();
  });

  test('R28 waits out no backoff at its deadline', async () => {
    const given = await failing({ deadline: 10 * minute + 7, onDeadline: 'release' });
    await given.clock.advance(6);
    expect(await given.widget()).toBeDefined();
    await given.clock.advance(1);
    expect(await given.widget()).toBeUndefined();
  });

  test('R28 says how to let it go after its deadline', async () => {
    const given = await failing({ deadline: minute });
    const { uid } = (await given.widget())?.metadata ?? { uid: '' };
    expect(conditionOf(await given.widget(), 'Ready')?.['message']).toBe(
      `desire of controller widget failed: boom; to release it without the rest of its cleanup, annotate it with reconstruct.dev/release=${uid}`,
    );
  });
});

describe('a deletion that does not come to its end', () => {
  test.each(stubborn)('R28 is kept up, and said after its deadline, when $when', async ({ changes, held = '' }) => {
    const house = await leaving(changes);
    await house.pass();
    expect(conditionOf(await house.widget(), 'DeletionBlocked')).toBeUndefined();
    await house.clock.advance(30 * minute - 1_000);
    await house.pass();
    expect(house.recheck).toBeLessThanOrEqual(1_000);
    await house.clock.advance(1_000);
    await house.pass();
    const { uid } = (await house.widget()).metadata;
    expect(conditionOf(await house.widget(), 'DeletionBlocked')).toMatchObject({
      status: 'True',
      reason: 'DeletionDeadlineExceeded',
      message:
        `Deletion has taken longer than 30 min, waiting for ConfigMap web-a${held}; ` +
        `to release it without the rest of its cleanup, annotate it with reconstruct.dev/release=${uid}`,
    });
    expect(conditionOf(await house.widget(), 'Stalled')).toMatchObject({ reason: 'DeletionDeadlineExceeded' });
    expect((await house.events()).filter((event) => event.startsWith('Warning DeletionDeadlineExceeded'))).toHaveLength(
      1,
    );
    await house.clock.advance(24 * 60 * minute);
    expect(await house.pass()).toEqual([]);
    expect(await house.names(widgetKind)).toEqual(['team/web']);
  });

  test.each(stubborn)(
    'R28 is given up after its deadline where that is the policy, when $when',
    async ({ changes, held = '' }) => {
      const house = await leaving({ ...changes, finalizes: { deadline: minute, onDeadline: 'release' } });
      await house.clock.advance(minute - 1);
      await house.pass();
      expect(await house.names(widgetKind)).toEqual(['team/web']);
      await house.clock.advance(1);
      expect(await house.pass()).toEqual(['apply Widget team/web']);
      expect(await house.names(widgetKind)).toEqual([]);
      expect(await house.events()).toContain(
        `Warning Released: Released without the rest of its cleanup because its cleanup took longer than 1 min; left: ConfigMap web-a${held}`,
      );
    },
  );

  test.each(stubborn)('R28 is given up when a person says so, when $when', async ({ changes, held = '' }) => {
    const house = await leaving(changes);
    await house.pass();
    await annotated(house, { 'reconstruct.dev/release': (await house.widget()).metadata.uid });
    expect(await house.pass()).toEqual(['apply Widget team/web']);
    expect(await house.names(widgetKind)).toEqual([]);
    expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
    expect(await house.events()).toContain(
      `Warning Released: Released without the rest of its cleanup as requested by annotation reconstruct.dev/release; left: ConfigMap web-a${held}`,
    );
  });

  it.each([
    { when: 'of another UID', value: '0d9f3c1e-copied' },
    { when: 'of its name', value: 'team/web' },
    { when: 'of true', value: 'true' },
    { when: 'that is empty', value: '' },
  ])('R28 is not given up for an annotation $when, which may have come with a copy', async ({ value }) => {
    const house = await leaving();
    await annotated(house, { 'reconstruct.dev/release': value });
    await house.pass();
    expect(await house.names(widgetKind)).toEqual(['team/web']);
  });

  it('R28 is not begun by the annotation', async () => {
    const house = open({ finalizes: true });
    await house.givenWidget();
    await house.pass();
    await annotated(house, { 'reconstruct.dev/release': (await house.widget()).metadata.uid });
    expect(await house.pass()).toEqual([]);
    expect(await house.names(ConfigMap)).toEqual(['team/web-a']);
  });
});
