import { describe } from 'vitest';
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
  url,
  without,
} from './given-etcd.js';

const old = { revision: 'r0' };

describe('a member whose node was deleted', () => {
  const found = 'wait: The volume of store-3 is on node node-gone, which no longer exists';
  const two = answerOf(...members(1, 2), memberOf(3, down));
  decides([
    { steps: ['retire store-3'], when: 'spec.replaceAfter is over', is: nodes({ 3: lost }), cluster: two },
    {
      steps: [`${found}; it is replaced unless the node returns within spec.replaceAfter`],
      when: 'spec.replaceAfter is not over',
      is: nodes({ 3: lost }),
      ...{ cluster: two, replaceAfter: 700_000 },
    },
    {
      steps: [`${found}; the replacement waits until store-2 is healthy`],
      when: 'another member does not follow the leader',
      is: nodes({ 3: lost }),
      cluster: answerOf(memberOf(1), memberOf(2, down), memberOf(3, down)),
    },
    {
      steps: [`${found}; the replacement waits until store-2 is healthy`],
      when: 'the Pod of another member is not ready',
      is: nodes({ 2: { isReady: false }, 3: lost }),
      cluster: two,
    },
    {
      steps: [`${found}; the replacement waits until store-1 is healthy`],
      when: 'etcd does not answer',
      is: nodes({ 3: lost }),
      cluster: undefined,
    },
    {
      steps: [`${found}; the replacement waits until store-1 is healthy`],
      when: 'etcd has no quorum, although members follow a leader',
      is: nodes({ 3: lost }),
      cluster: { ...two, hasQuorum: false },
    },
    {
      steps: [
        'wait: The volume of store-1 is on node node-gone, which no longer exists, and no other member has its data; bring the node back, or restore from a backup',
      ],
      when: 'it is the only one',
      is: [node(1, lost)],
      ...{ wanted: 1, cluster: undefined },
    },
    {
      steps: [
        'wait: The volume of store-1 is on node node-gone, which no longer exists, and no other member has its data; bring the node back, or restore from a backup',
      ],
      when: 'all nodes were deleted',
      is: nodes({ 1: lost, 2: lost, 3: lost }),
      cluster: undefined,
    },
    {
      steps: [
        'wait: The volume of store-2 is on node node-gone, which no longer exists; the replacement waits until store-1 is healthy',
      ],
      when: 'two of three nodes were deleted: there is no quorum',
      is: nodes({ 2: lost, 3: lost }),
      cluster: without(1, 2, 3),
    },
    {
      steps: ['retire store-4'],
      when: 'two of five nodes were deleted, and the others serve',
      is: nodes({ 4: lost, 5: lost }, 1, 2, 3, 4, 5),
      ...{ wanted: 5, cluster: answerOf(...members(1, 2, 3), memberOf(4, down), memberOf(5, down)) },
    },
    { steps: [], when: 'its Pod runs on another node', is: nodes({ 3: { ...lost, pod: 'there', isReady: true } }) },
    {
      steps: [],
      when: 'its node is only not ready',
      is: nodes({ 3: { isReady: false, isNodeLost: true, trouble: 'its node is not ready' } }),
      cluster: two,
    },
  ]);
});

describe('an outdated member', () => {
  const crashes = { isReady: false, trouble: 'container etcd: exited with code 1' };
  const all = { 1: old, 2: old, 3: old };
  const hold = (name: string, why = '') => [`wait: no member is replaced until ${name} is healthy${why}`];
  decides([
    { steps: ['replace store-2'], when: 'all are outdated: the leader comes last', is: nodes(all) },
    { steps: ['replace store-3'], when: 'it and the leader are left', is: nodes({ 1: old, 3: old }) },
    { steps: ['replace store-1'], when: 'it is the leader, and the only one left', is: nodes({ 1: old }) },
    {
      steps: ['replace store-1'],
      when: 'another member leads',
      is: nodes(all),
      cluster: { ...answerOf(...members(1, 2, 3)), leader: id(2) },
    },
    {
      steps: ['replace store-3'],
      when: 'it fails',
      is: nodes({ ...all, 3: { ...old, ...crashes } }),
      cluster: answerOf(...members(1, 2), memberOf(3, down)),
    },
    {
      steps: ['replace store-3'],
      when: 'it fails, and etcd does not answer',
      is: nodes({ ...all, 3: { ...old, ...crashes } }),
      cluster: undefined,
    },
    {
      steps: hold('store-3', ': its node is not ready'),
      when: 'its node is not ready',
      is: nodes({ 3: { ...old, isReady: false, isNodeLost: true, trouble: 'its node is not ready' } }),
      cluster: answerOf(...members(1, 2), memberOf(3, down)),
    },
    {
      steps: hold('store-3'),
      when: 'it starts: to wait may help it',
      is: nodes({ ...all, 3: { ...old, isReady: false } }),
      cluster: answerOf(...members(1, 2), memberOf(3, down)),
    },
    { steps: hold('store-2'), when: 'the one before is not ready', is: nodes({ ...all, 2: { isReady: false } }) },
    {
      steps: hold('store-2', `: ${crashes.trouble}`),
      when: 'the one before fails with the new template',
      is: nodes({ ...all, 2: crashes }),
      cluster: answerOf(memberOf(1), memberOf(2, down), memberOf(3)),
    },
    {
      steps: hold('store-2'),
      when: 'the one before is ready, and does not follow the leader',
      is: nodes({ ...all, 2: {} }),
      cluster: answerOf(memberOf(1), memberOf(2, down), memberOf(3)),
    },
    { steps: hold('store-1'), when: 'etcd does not answer', is: nodes(all), cluster: undefined },
    {
      steps: hold('store-1'),
      when: 'etcd has no quorum, although members follow a leader',
      is: nodes(all),
      cluster: { ...answerOf(...members(1, 2, 3)), hasQuorum: false },
    },
    {
      steps: ['replace store-1'],
      when: 'it is the only one',
      is: nodes(old, 1).map((one) => ({ ...one, ...old })),
      wanted: 1,
    },
    {
      steps: hold('store-1'),
      when: 'it is the only one, and does not answer',
      is: [node(1, old)],
      ...{ wanted: 1, cluster: undefined },
    },
    { steps: [], when: 'the desired template is not known', is: nodes(all), revision: undefined },
    {
      steps: [`call promoteMember ${id(4)}`, 'wait: no member is replaced until store-4 is healthy'],
      when: 'a learner joins: redundancy comes first',
      is: nodes({ 1: old, 2: old, 4: { ...stopped, pod: 'there' } }, 1, 2, 4),
      cluster: answerOf(...members(1, 2), memberOf(4, { isLearner: true })),
    },
    {
      steps: hold('store-4'),
      when: 'a learner starts',
      is: nodes({ 1: old, 2: old, 4: { ...stopped, pod: 'there' } }, 1, 2, 4),
      cluster: answerOf(...members(1, 2), learnerOf(4)),
    },
    {
      steps: [`call addMember ${url(3)}`, 'wait: no member is replaced until all 3 exist'],
      when: 'a member is missing: redundancy comes first',
      is: nodes({ 1: old, 2: old }, 1, 2),
    },
  ]);
});
