import { afterEach, describe, expect, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import {
  type ControllerCase,
  controllerContract,
  fakeSource,
  type GivenResource,
} from '../../../../operator/testing/index.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { closeAll, givenGatherers } from '../given/oracle.js';
import { gatherer, gathererController, oracle } from '../given/pollers.js';

afterEach(closeAll);

describe('a controller that gathers', () => {
  const resource = gatherer('one', { question: 'colour' }) as GivenResource;
  const answers = [fakeSource(oracle, (question) => ({ word: `${question} it is` }))];
  const cases: readonly { when: string; given: Pick<ControllerCase, 'answers'> }[] = [
    { when: 'somebody answers', given: { answers } },
    { when: 'nobody answers', given: {} },
  ];
  describe.each(cases)('and $when', ({ given }) => {
    // Where nobody answers it becomes the same whatever it asks, so it is edited to ask nothing and to be another.
    const edited = given.answers ? { question: 'size' } : { question: 'size', label: 'other' };
    for (const { name, holds } of controllerContract(gathererController, { resource, edited, ...given })) {
      test(name, holds);
    }
  });

  test('R33 include what those need who answer what it gathers', () => {
    expect(gathererController.rbacRules).toContainEqual(oracle.rbacRules?.[0]);
  });

  test('is rejected without a source', () => {
    const complaint = 'controller gatherer polls oracle, which has no source: add it to ports';
    expect(() => new GivenOperator({ controllers: [gathererController] })).toThrow(complaint);
  });

  test('R29 asks again when its process leads again, though nothing has changed meanwhile', async () => {
    let isCut = false;
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      apply: async (kind, ...rest) => {
        if (isCut && kind.kind === 'Lease') throw new Error('no route to the server');
        return cluster.apply(kind, ...rest);
      },
    });
    const lease = { name: 'operator', namespace: 'system' };
    const { given, apply, asked, word, last } = await givenGatherers({ lease, faults });
    await apply('one', { question: 'colour', every: 3_600_000 });
    isCut = true;
    await given.clock.advance(30_000);
    expect(last().signal.aborted).toBe(true);
    const before = asked.length;
    isCut = false;
    for (let passed = 0; asked.length === before && passed < 30; passed++) await given.clock.advance(1_000);
    expect(asked.length).toBe(before + 1);
    await last().answer('red');
    expect(await word()).toBe('red');
  });

  test('cannot change an answer', async () => {
    const changing: Controller = {
      ...gathererController,
      assess: ({ polled: { said } }) => {
        if (said?.known) (said.value as { word: string }).word = 'mine';
        return { conditions: {} };
      },
    };
    const { given, apply, last } = await givenGatherers({ controllers: [changing] });
    await apply('one', { question: 'colour' });
    await last().answer('red');
    expect(given.passes.at(-1)).toBe('error');
  });
});
