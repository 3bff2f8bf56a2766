import { afterEach, describe, expect, test } from 'vitest';
import type { Controller } from '../../../operator/runtime/controller.js';
import {
  answering,
  type ControllerCase,
  controllerContract,
  type GivenResource,
} from '../../../operator/testing/index.js';
import { gatherer, gathererController, oracle } from './given-gatherers.js';
import { GivenOperator } from './given-operator.js';
import { closeAll, givenGatherers } from './given-oracle.js';

afterEach(closeAll);

describe('a controller that gathers', () => {
  const resource = gatherer('one', { question: 'colour' }) as GivenResource;
  const answers = [answering(oracle, (question) => ({ word: `${question} it is` }))];
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
    expect(gathererController.rights).toContainEqual(oracle.rights?.[0]);
  });

  test('is refused where nobody answers', () => {
    const complaint = 'controller gatherer asks oracle, and nobody answers there: add it to ports';
    expect(() => new GivenOperator({ controllers: [gathererController] })).toThrow(complaint);
  });

  test('cannot change an answer', async () => {
    const changing: Controller = {
      ...gathererController,
      assess: ({ gathered: { said } }) => {
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
