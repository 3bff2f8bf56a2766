import { describe, expect, test } from 'vitest';
import { polls } from '../../../../../operator/controllers/database/polls.js';
import { goneNodesFrom } from '../../../../../operator/engines/nodes/gone-nodes-source.js';
import { poll } from '../../../../../operator/runtime/controller/polls.js';
import { Node } from '../../../../../operator/runtime/index.js';
import { MemoryCluster } from '../../../../../operator/testing/index.js';
import { live } from '../../../../given.js';
import { databaseView } from '../given-view.js';
import { now, planned, podless, primary, replica, silent, told } from '../instances/given-instances.js';

const gone = {
  ...{ ...silent, node: undefined, home: 'node-3', isNodeGone: true, unreadySince: now - 400_000 },
  trouble: 'no node can run the Pod: 1 node(s) had volume node affinity conflict',
};
const found = 'The volume of orders-3 is on node node-3, which no longer exists';
const lost = replica(3, gone);
const well = [primary(1, [2]), replica(2)];

describe('line 2: an instance whose volume was on a node that is gone', () => {
  test('is made elsewhere under another name, and its volume is kept', () => {
    const plan = planned([...well, lost]);
    expect(told(plan)).toContain('quarantine orders-3');
    expect(plan.pods).toEqual(['orders-1', 'orders-2']);
    expect(plan.claims).toContainEqual({ name: 'orders-3', isQuarantined: true });
    const kept = replica(3, { ...podless, isQuarantined: true });
    expect(planned([...well, kept]).pods).toEqual(['orders-1', 'orders-2', 'orders-4']);
  });

  test.each([
    { so: 'for a primary', is: [replica(1), replica(2), lost] },
    { so: 'until orders-2 is healthy', is: [primary(1, []), replica(2, silent), lost] },
    {
      so: 'until a replica can take over from orders-1',
      is: [
        primary(1, [2], { report: { ...well[0]?.report, streaming: { 'orders-2': { synchronous: false } } } as never }),
        replica(2),
        lost,
      ],
    },
  ])('line 9: its replacement waits $so', ({ so, is }) => {
    const plan = planned(is);
    expect(told(plan)).toContain(`wait: ${found}; the replacement waits ${so}`);
    expect(plan.pods).toContain('orders-3');
  });

  test('is one of two: the primary alone has every commit that counts', () => {
    expect(told(planned([primary(1, []), replica(2, { ...gone, home: 'node-2' })], { wanted: 2 }))).toContain(
      'quarantine orders-2',
    );
  });

  test('is given time for its node to come back', () => {
    const plan = planned([...well, replica(3, { ...gone, unreadySince: now - 200_000 })]);
    expect(told(plan)).toContain(`wait: ${found}; a replacement is created if the node does not return`);
  });

  test('is not made anew beside a volume that is kept already', () => {
    const kept = replica(3, { ...podless, isQuarantined: true });
    const plan = planned([...well, kept, replica(4, { ...gone, home: 'node-4' })]);
    expect(told(plan)).toContain(
      'wait: The volume of orders-4 is on node node-4, which no longer exists; to get a replacement, delete PVC orders-3, which is kept from an earlier instance',
    );
  });

  test.each([
    { when: 'its node is not known to be gone', changes: { ...gone, isNodeGone: false } },
    { when: 'a node has taken it all the same', changes: { ...gone, node: 'node-9' } },
  ])('is left alone when $when', ({ changes }) => {
    expect(told(planned([...well, replica(3, changes)]))).not.toContain('quarantine orders-3');
  });
});

describe('whether a node is gone', () => {
  const claims = (...homes: readonly (string | undefined)[]) =>
    homes.map((home, index) => {
      const annotations = { ...(home !== undefined && { 'volume.kubernetes.io/selected-node': home }) };
      const labels = { ...(home === 'kept' && { 'reconstruct.dev/quarantined': 'true' }) };
      const metadata = { name: `orders-${index + 1}`, namespace: 'shop', annotations, labels };
      return live({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata });
    });
  const asked = (homes: readonly (string | undefined)[], changes: Parameters<typeof databaseView>[0] = {}) => {
    const view = { ...databaseView(changes), owned: { of: () => claims(...homes) } };
    return polls(poll as never).goneNodes.request(view as never)?.question;
  };

  test.each([
    { question: undefined, when: 'all nodes are there', homes: ['node-1', 'node-2', 'node-3'] },
    { question: { names: ['node-9'] }, when: 'one is not in the caches', homes: ['node-1', 'node-9', 'node-9'] },
    { question: undefined, when: 'it is not known where a volume is', homes: ['node-1', undefined] },
    { question: undefined, when: 'its volume is kept aside already', homes: ['node-1', 'kept'] },
  ])('is asked as $question when $when', ({ question, homes }) => expect(asked(homes)).toEqual(question));

  test('is not asked where nodes may not be seen', () =>
    expect(asked(['node-9'], { seesNodes: false })).toBeUndefined());

  test('is told by the API server, and by no failure of it', async () => {
    const cluster = new MemoryCluster();
    await cluster.apply(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } }, { manager: 'kubelet' });
    const tell = (read = cluster.read.bind(cluster)) =>
      goneNodesFrom({ read }).source({ names: ['node-1', 'node-9'] } as never, {
        signal: new AbortController().signal,
      });
    expect(await tell()).toEqual({ gone: ['node-9'] });
    await expect(tell(() => Promise.reject(new Error('forbidden')))).rejects.toThrow('forbidden');
  });
});
