import { expect, test } from 'vitest';
import { order, orderFor } from '../../../cli/algorithm/order.js';
import { endingOf } from '../../../cli/algorithm/outcome.js';
import type { AlgorithmResource } from '../../../imports/index.js';
import { ApiError, newer } from '../../../operator/runtime/kubernetes/errors.js';
import type { Manifest } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { algorithm, onTrial, promoted } from './given-trial.js';

const name = { namespace: 'team', name: 'reco' };

test.each([
  { ending: 'promoted', when: 'the spec is stable', conditions: promoted('True', 'Stable') },
  { ending: 'takenBack', when: 'its numbers were bad', conditions: promoted('False', 'RolledBack') },
  { ending: 'takenBack', when: 'it was not proved in time', conditions: promoted('False', 'DeadlineExceeded') },
  {
    ending: 'takenBack',
    when: 'the stable pods did not come up with it',
    conditions: promoted('False', 'RolloutFailed'),
  },
  { ending: 'takenBack', when: 'somebody ended it', conditions: promoted('False', 'Aborted') },
  { ending: undefined, when: 'it is judged', conditions: promoted('Unknown', 'Analyzing') },
  { ending: undefined, when: 'it may still go back', conditions: promoted('True', 'Baking') },
  { ending: undefined, when: 'something is in the way', conditions: promoted('False', 'Conflict') },
  { ending: undefined, when: 'the API server refuses something', conditions: promoted('False', 'ApplyRejected') },
  { ending: undefined, when: 'the operator has not seen the spec', conditions: promoted('True', 'Stable', 1) },
  { ending: undefined, when: 'nothing was said yet', conditions: [] },
])('a trial ends $ending when $when', ({ ending, conditions }) => {
  expect(endingOf(algorithm({ ...onTrial, conditions }))).toBe(ending);
});

test.each(['promote', 'abort'] as const)('%s is meant for the trial that runs, and for no other', (verb) => {
  expect(orderFor(verb, algorithm(onTrial))).toEqual({
    content: { metadata: { annotations: { 'ai.alien6.io/trial': `${verb} reco-b-1` } } },
    manager: 'reconstruct-trial',
    told: `Algorithm team/reco: requested to ${verb} 1.1.0, trial reco-b-1`,
  });
});

test('abort names the version in its bake too, in which the status shows none on trial', () => {
  const { version: _, weight: __, ...trial } = { id: '', image: '', revision: '', since: '', ...onTrial.trial };
  expect(orderFor('abort', algorithm({ ...onTrial, trial })).told).toMatch(/requested to abort 1.1.0, trial reco-b-1$/);
});

test.each([
  { verb: 'pause' as const, paused: true },
  { verb: 'resume' as const, paused: false },
])('$verb needs no trial, and has a manager of its own', ({ verb, paused }) => {
  expect(orderFor(verb, algorithm(undefined, { paused: !paused }))).toEqual({
    content: { spec: { lifecycle: { paused } } },
    manager: 'reconstruct-pause',
    told: `Algorithm team/reco ${verb}d`,
  });
});

test.each([
  {
    when: 'there is no lifecycle',
    order: () => orderFor('pause', algorithm(undefined, null)),
    message: 'Algorithm team/reco has no spec.lifecycle, so it has no trials; add spec.lifecycle',
  },
  {
    when: 'nothing is on trial',
    order: () => orderFor('promote', algorithm({ phase: 'Running' })),
    message: 'Algorithm team/reco has no version on trial, so there is nothing to promote',
  },
  {
    when: 'the trial has ended',
    order: () => orderFor('abort', algorithm({ ...onTrial, conditions: promoted('False', 'RolledBack') })),
    message: 'Algorithm team/reco has no version on trial, so there is nothing to abort',
  },
  {
    when: 'another trial began meanwhile',
    order: () => orderFor('abort', algorithm(onTrial), 'reco-a-9'),
    message: 'Algorithm team/reco now has the trial reco-b-1 instead of reco-a-9; check it, then run the command again',
  },
  {
    when: 'the promotion is under way',
    order: () => {
      const resource = algorithm({ ...onTrial, conditions: promoted('True', 'Baking') });
      const annotations = { 'ai.alien6.io/trial': 'promote reco-b-1' };
      return orderFor('promote', { ...resource, metadata: { ...resource.metadata, annotations } });
    },
    message:
      'Algorithm team/reco: the promotion of 1.1.0 was already requested and is in progress; to end its bake, set spec.lifecycle.trial.bake to 0s',
  },
])('refuses when $when', ({ order, message }) => {
  expect(order).toThrow(message);
});

test.each([
  { verb: 'pause' as const, paused: true, told: 'Algorithm team/reco is already paused' },
  { verb: 'resume' as const, paused: false, told: 'Algorithm team/reco is not paused' },
])('$verb writes nothing where it is so already, and says that', async ({ verb, paused, told }) => {
  const { cluster, written } = moving(algorithm(undefined, { paused }));
  expect(await order(cluster, verb, name)).toBe(told);
  expect(written).toEqual([]);
});

/** A cluster in which the resource moves from one of these states to the next while an order is on its way. */
function moving(...states: readonly AlgorithmResource[]) {
  const written: Manifest[] = [];
  let at = 0;
  const cluster = {
    read: async () => states[at],
    apply: async (_: unknown, object: Manifest) => {
      if (at < states.length - 1) {
        at++;
        throw newer('it has changed');
      }
      written.push(object);
      return object;
    },
  } as unknown as Cluster;
  return { cluster, written };
}

test('an order is written over the state that was looked at, and anew when that has changed', async () => {
  const { cluster, written } = moving(algorithm(onTrial), algorithm(onTrial));
  await order(cluster, 'abort', name);
  const { uid, resourceVersion } = algorithm(onTrial).metadata;
  expect(written.map(({ metadata }) => metadata)).toEqual([
    { ...name, uid, resourceVersion, annotations: { 'ai.alien6.io/trial': 'abort reco-b-1' } },
  ]);
});

test('an order never reaches a trial that began while it was on its way', async () => {
  const { trial } = onTrial;
  const next = algorithm({ ...onTrial, ...(trial && { trial: { ...trial, id: 'reco-c-2' } }) });
  const { cluster, written } = moving(algorithm(onTrial), next);
  await expect(order(cluster, 'abort', name)).rejects.toThrow('now has the trial reco-c-2 instead of reco-b-1');
  expect(written).toEqual([]);
});

test('an order is given up when the resource never stands still', async () => {
  const { cluster, written } = moving(...Array.from({ length: 9 }, () => algorithm(onTrial)));
  await expect(order(cluster, 'abort', name)).rejects.toThrow('it has changed');
  expect(written).toEqual([]);
});

test('an order says so where the API server does not serve Algorithms', async () => {
  const notFound = new ApiError('404 page not found', { code: 404, reason: 'NotFound' });
  const lacking = { read: () => Promise.reject(notFound) } as unknown as Cluster;
  await expect(order(lacking, 'pause', name)).rejects.toThrow(
    'the API server does not serve Algorithm.ai.alien6.io as ai.alien6.io/v1; apply the CRD',
  );
});
