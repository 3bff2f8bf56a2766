import { describe, expect, test } from 'vitest';
import { stopped } from '../../members/given-members.js';
import {
  answerOf,
  decides,
  down,
  id,
  learnerOf,
  lost,
  memberOf,
  members,
  node,
  nodes,
  planned,
  url,
  without,
} from './given-etcd.js';

const old = { revision: 'r0' };
const bare = { pod: 'none', claim: 'none' } as const;

describe('the first members', () => {
  const isNew = { isFormed: false, cluster: undefined };
  decides([
    { steps: ['add store-1, store-2, store-3'], when: 'the cluster is new', is: [], ...isNew },
    { steps: ['add store-1'], when: 'one member is wanted', is: [], ...isNew, wanted: 1 },
    {
      steps: ['add store-2, store-3'],
      when: 'the operator was killed after the first volume',
      is: [node(1, { ...stopped, hasStarted: false })],
      ...isNew,
    },
    {
      steps: ['add store-2'],
      when: 'the volume of the second one was rejected: no Pod exists before all volumes do',
      is: [node(1, stopped), node(3, stopped)],
      ...isNew,
    },
    {
      steps: ['add store-4'],
      when: 'the volume and the Pod of the second one were deleted: it may have voted',
      is: [node(1), node(3)],
      ...isNew,
    },
    { steps: [], when: 'all exist, and etcd does not answer yet', is: nodes({}), ...isNew },
    {
      steps: ['add store-2, store-3, store-4'],
      when: 'only the retired volume of an earlier cluster is left: nothing runs on it',
      is: [node(1, { ...stopped, retired: 'lost' })],
      ...isNew,
    },
    {
      steps: [],
      when: 'the volumes of an earlier cluster are taken up',
      is: nodes({ 1: stopped }),
      cluster: undefined,
    },
    {
      steps: [],
      when: 'a volume of a formed cluster is missing and etcd does not answer: it may have the member',
      is: nodes({}, 1, 2),
      cluster: undefined,
    },
    { steps: [], when: 'the cluster is formed and nothing is left of it', is: [], cluster: undefined },
    {
      steps: [`call removeMember ${id(3)}`],
      when: 'etcd has answered, although the status does not say so yet, and a volume was deleted with its Pod',
      is: nodes({}, 1, 2),
      ...{ isFormed: false, cluster: answerOf(...members(1, 2), memberOf(3, down)) },
    },
    { steps: [], when: 'etcd has answered, although the status does not say so yet', is: nodes({}), isFormed: false },
  ]);
});

describe('a member that etcd has and that has no objects', () => {
  decides([
    {
      steps: [`call removeMember ${id(3)}`],
      when: 'its PVC and its Pod were deleted: another volume is another member',
      is: nodes({}, 1, 2),
      cluster: answerOf(...members(1, 2), memberOf(3, down)),
    },
    {
      steps: [`call removeMember ${id(3)}`],
      when: 'it was retired',
      is: nodes({ 3: { ...lost, retired: 'lost' } }),
      cluster: answerOf(...members(1, 2), memberOf(3, down)),
    },
    {
      steps: [`call removeMember ${id(3)}`],
      when: 'its PVC is terminating and it has no Pod',
      is: nodes({ 3: { ...stopped, claim: 'ending' } }),
      cluster: answerOf(...members(1, 2), memberOf(3, down)),
    },
    {
      steps: [],
      when: 'its PVC is terminating, and its Pod still serves',
      is: nodes({ 3: { claim: 'ending' } }),
    },
    {
      steps: [`call removeMember ${id(4)}`],
      when: 'it is a learner that was retired before it started',
      is: nodes({ 4: { ...lost, retired: 'lost', hasStarted: false } }, 1, 2, 4),
      cluster: answerOf(...members(1, 2), learnerOf(4)),
    },
    {
      steps: ['add store-4'],
      when: 'it was just added',
      is: nodes({}, 1, 2),
      cluster: answerOf(...members(1, 2), learnerOf(4)),
    },
    {
      steps: [],
      when: 'another user has added it under another host',
      is: nodes({}, 1, 2),
      cluster: answerOf(...members(1, 2), learnerOf(4, { peerUrls: ['http://10.1.1.1:2380'] })),
    },
    {
      steps: [`call removeMember ${id(4)}`],
      when: 'another user has added it under another host, and it has started',
      is: nodes({}, 1, 2),
      cluster: answerOf(...members(1, 2), memberOf(4, { peerUrls: ['http://10.1.1.1:2380'] })),
    },
    {
      steps: [],
      when: 'etcd has no quorum: the list may be old',
      is: nodes({}, 1, 2),
      cluster: without(1, 2, 3),
    },
    {
      steps: [],
      when: 'it was added, and etcd has no quorum',
      is: nodes({}, 1, 2),
      cluster: { ...without(1, 2), members: [...without(1, 2).members, learnerOf(4)] },
    },
  ]);
});

describe('a learner', () => {
  decides([
    {
      steps: [`call promoteMember ${id(4)}`],
      when: 'it follows the leader',
      is: nodes({ 4: { ...stopped, pod: 'there' } }, 1, 2, 4),
      cluster: answerOf(...members(1, 2), memberOf(4, { isLearner: true })),
    },
    {
      steps: [],
      when: 'it starts',
      is: nodes({ 4: { ...stopped, pod: 'there' } }, 1, 2, 4),
      cluster: answerOf(...members(1, 2), learnerOf(4)),
    },
    {
      steps: ['retire store-4'],
      when: 'its node was deleted',
      is: nodes({ 4: lost }, 1, 2, 4),
      cluster: answerOf(...members(1, 2), learnerOf(4)),
    },
    {
      steps: [],
      when: 'it follows a leader without a quorum',
      is: nodes({ 4: { ...stopped, pod: 'there' } }, 1, 2, 4),
      cluster: { ...without(1, 2), members: [...without(1, 2).members, memberOf(4, { isLearner: true })] },
    },
  ]);
});

describe('a missing member', () => {
  decides([
    {
      steps: [`call addMember ${url(4)}`],
      when: 'a retired volume has the last name',
      is: nodes({ 3: { ...lost, retired: 'lost' } }),
      cluster: answerOf(...members(1, 2)),
    },
    { steps: [`call addMember ${url(3)}`], when: 'nothing has the name any more', is: nodes({}, 1, 2) },
    { steps: [`call addMember ${url(6)}`], when: 'the names in between are free', is: nodes({}, 1, 5) },
    { steps: [], when: 'etcd has as many as are wanted', is: nodes({}) },
    { steps: [], when: 'etcd has no quorum', is: nodes({}, 1, 2), cluster: without(1, 2) },
    { steps: [], when: 'etcd does not answer', is: nodes({}, 1, 2), cluster: undefined },
    {
      steps: [`call addMember ${url(6)}`],
      when: 'two of five are missing: one after the other',
      is: nodes({ 4: { ...lost, retired: 'lost' }, 5: { ...lost, retired: 'lost' } }, 1, 2, 3, 4, 5),
      ...{ wanted: 5, cluster: answerOf(...members(1, 2, 3)) },
    },
  ]);
});

describe('a member that etcd does not have', () => {
  decides([
    {
      steps: ['retire store-3'],
      when: 'another user has removed it',
      is: nodes({}),
      cluster: answerOf(...members(1, 2)),
    },
    {
      steps: ['retire store-4'],
      when: 'it was created beside the first ones, and they have formed the cluster without it',
      is: nodes({ 4: { ...stopped, hasStarted: false } }, 1, 2, 3, 4),
      cluster: answerOf(...members(1, 2, 3)),
    },
    {
      steps: [],
      when: 'it is retired already',
      is: nodes({ 4: { ...lost, retired: 'expelled' } }, 1, 2, 3, 4),
      cluster: answerOf(...members(1, 2, 3)),
    },
    {
      steps: [],
      when: 'nothing is left of it',
      is: nodes({ 4: bare }, 1, 2, 3, 4),
      cluster: answerOf(...members(1, 2, 3)),
    },
    { steps: [], when: 'etcd has no quorum: the list may be old', is: nodes({}), cluster: without(1, 2) },
    { steps: [], when: 'etcd does not answer', is: nodes({}), cluster: undefined },
  ]);
});

describe('what a plan renders', () => {
  const two = answerOf(...members(1, 2), memberOf(3, down));
  const names = ({ pods, claims }: ReturnType<typeof planned>) => ({
    pods: pods.join(' '),
    claims: claims.map(({ name, retired }) => (retired === undefined ? name : `${name} (${retired})`)).join(' '),
  });
  test.each([
    {
      renders: { pods: 'store-1 store-2 store-3', claims: 'store-1 store-2 store-3' },
      when: 'the first members are created',
      plan: planned([], { isFormed: false, cluster: undefined }),
    },
    {
      renders: { pods: '', claims: 'store-1 store-2 store-3' },
      when: 'the certificate does not exist yet',
      plan: planned([], { isFormed: false, cluster: undefined, revision: undefined }),
    },
    {
      renders: { pods: 'store-1 store-2', claims: 'store-1 store-2 store-3' },
      when: 'a Pod was deleted and the certificate is unknown',
      plan: planned(nodes({ 3: stopped }), { revision: undefined }),
    },
    {
      renders: { pods: 'store-1 store-2', claims: 'store-1 store-2 store-3 (lost)' },
      when: 'a member is given up: its volume is kept',
      plan: planned(nodes({ 3: lost }), { cluster: two }),
    },
    {
      renders: { pods: 'store-1 store-2', claims: 'store-1 store-2 store-3 (expelled)' },
      when: 'another user has removed a member',
      plan: planned(nodes({}), { cluster: answerOf(...members(1, 2)) }),
    },
    {
      renders: { pods: 'store-1 store-2 store-4', claims: 'store-1 store-2 store-3 (lost) store-4' },
      when: 'the replacement joins',
      plan: planned(nodes({ 3: { ...lost, retired: 'lost' } }), { cluster: answerOf(...members(1, 2), learnerOf(4)) }),
    },
    {
      renders: { pods: 'store-1 store-3', claims: 'store-1 store-2 store-3' },
      when: 'a member is replaced',
      plan: planned(nodes({ 1: old, 2: old, 3: old })),
    },
    {
      renders: { pods: 'store-1 store-2 store-3', claims: 'store-1 store-2 store-3' },
      when: 'etcd does not answer',
      plan: planned(nodes({ 1: old, 2: old, 3: old }), { cluster: undefined }),
    },
  ])('$renders.pods on $renders.claims when $when', ({ renders, plan }) => {
    expect(names(plan)).toEqual(renders);
  });
});
