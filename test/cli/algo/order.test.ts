import { expect, test } from 'vitest';
import { orderFor } from '../../../cli/algo/order.js';
import { endingOf } from '../../../cli/algo/outcome.js';
import { algorithm, onTrial, promoted } from './given-trial.js';

test.each([
  { ending: 'promoted', when: 'the spec is stable', conditions: promoted('True', 'Stable') },
  { ending: 'takenBack', when: 'its numbers were bad', conditions: promoted('False', 'TakenBack') },
  { ending: 'takenBack', when: 'it was not proved in time', conditions: promoted('False', 'DeadlineExceeded') },
  {
    ending: 'takenBack',
    when: 'the stable pods did not come up with it',
    conditions: promoted('False', 'RolloutFailed'),
  },
  { ending: 'takenBack', when: 'somebody ended it', conditions: promoted('False', 'Aborted') },
  { ending: undefined, when: 'it is judged', conditions: promoted('Unknown', 'Judging') },
  { ending: undefined, when: 'it may still go back', conditions: promoted('True', 'Baking') },
  { ending: undefined, when: 'something is in the way', conditions: promoted('False', 'Obstructed') },
  { ending: undefined, when: 'the API server refuses something', conditions: promoted('False', 'Refused') },
  { ending: undefined, when: 'the operator has not seen the spec', conditions: promoted('True', 'Stable', 1) },
  { ending: undefined, when: 'nothing was said yet', conditions: [] },
])('a trial ends $ending when $when', ({ ending, conditions }) => {
  expect(endingOf(algorithm({ ...onTrial, conditions }))).toBe(ending);
});

test.each(['promote', 'abort'] as const)('%s is meant for the trial that runs, and for no other', (verb) => {
  expect(orderFor(verb, algorithm(onTrial))).toEqual({
    content: { metadata: { annotations: { 'ai.alien6.io/trial': `${verb} reco-b-1` } } },
    manager: 'reconstruct-trial',
    told: `Algorithm team/reco: asked to ${verb} 1.1.0, trial reco-b-1`,
  });
});

test.each([
  { verb: 'pause' as const, paused: true },
  { verb: 'resume' as const, paused: false },
])('$verb needs no trial, and has a manager of its own', ({ verb, paused }) => {
  expect(orderFor(verb, algorithm(undefined))).toEqual({
    content: { spec: { lifecycle: { paused } } },
    manager: 'reconstruct-pause',
    told: `Algorithm team/reco ${verb}d`,
  });
});

test.each([
  {
    when: 'there is no lifecycle',
    order: () => orderFor('pause', algorithm(undefined, null)),
    message: 'Algorithm team/reco has no lifecycle, so nothing is ever on trial: add spec.lifecycle',
  },
  {
    when: 'nothing is on trial',
    order: () => orderFor('promote', algorithm({ phase: 'Running' })),
    message: 'Algorithm team/reco has no version on trial: there is nothing to promote',
  },
  {
    when: 'the trial is over',
    order: () => orderFor('abort', algorithm({ ...onTrial, conditions: promoted('False', 'TakenBack') })),
    message: 'Algorithm team/reco has no version on trial: there is nothing to abort',
  },
  {
    when: 'another trial began meanwhile',
    order: () => orderFor('abort', algorithm(onTrial), 'reco-a-9'),
    message: 'Algorithm team/reco has another trial by now, reco-b-1 instead of reco-a-9: look at it, and ask again',
  },
])('refuses when $when', ({ order, message }) => {
  expect(order).toThrow(message);
});
