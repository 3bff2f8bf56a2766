import { describe, expect, it } from 'vitest';
import { sizeFor } from '../../../../../../operator/controllers/algorithm/trial/plan/capacity.js';
import { bearableWeight } from '../../../../../../operator/controllers/algorithm/trial/plan/size.js';
import type { Situation } from '../../../../../../operator/controllers/algorithm/trial/situation.js';
import type { Side } from '../../../../../../operator/controllers/algorithm/trial/view.js';

describe('line 2: the pods of a version on trial', () => {
  it.each([
    { are: 1, weight: 20, of: 5 },
    { are: 1, weight: 1, of: 100 },
    { are: 2, weight: 1, of: 101 },
    { are: 3, weight: 50, of: 5 },
    { are: 5, weight: 99, of: 5 },
    { are: 1, weight: 20, of: 0 },
  ])('are $are for $weight % of the requests that $of pods take', ({ are, weight, of }) => {
    expect(sizeFor(weight, of)).toBe(are);
  });
});

const side: Side = {
  ...{ revision: 'new', replicas: 3, available: 3, isPure: true, isDone: true, failure: undefined, progress: '' },
};

describe('lines 2, 5: the share that a version on trial bears', () => {
  it.each([
    { is: 50, when: 'it has the pods for it', trial: side, live: 0 },
    { is: 0, when: 'its first pods are not all ready', trial: { ...side, available: 2 }, live: 0 },
    { is: 20, when: 'it has pods for the step before alone', trial: { ...side, available: 1 }, live: 20 },
    { is: 50, when: 'it lost some pods of many', trial: { ...side, available: 1 }, live: 50 },
    { is: 0, when: 'it lost all of its pods', trial: { ...side, available: 0, replicas: 3 }, live: 50 },
    { is: 0, when: 'its Pods still run the previous version', trial: { ...side, revision: 'old' }, live: 50 },
    { is: 0, when: 'Pods of the previous version are left', trial: { ...side, isPure: false }, live: 50 },
    {
      is: 20,
      when: 'nobody has looked at its Deployment since that was resized',
      trial: { ...side, available: 1, isPure: false },
      live: 20,
      given: 20,
    },
    { is: 0, when: 'it has no Deployment yet', trial: undefined, live: 0 },
  ])(
    'is $is % of 50 when $when',
    ({ is, trial, live, given }: { is: number; trial: Side | undefined; live: number; given?: number }) => {
      const situation = {
        ...{ resource: { spec: {} }, wanted: { name: 'new' }, main: { ...side, replicas: 6 }, trial },
        ...{ traffic: { weight: live }, record: { given } },
      };
      expect(bearableWeight(situation as unknown as Situation, 50)).toBe(is);
    },
  );
});
