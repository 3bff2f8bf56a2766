import { beforeAll, describe, expect, test } from 'vitest';
import { ConfigMap, type LiveObject } from '../../../operator/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed, read } from '../cluster/api.js';
import { drain, uncordon } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { type LivePod, Node, Pod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { noPrimaryGoes, seenDuring } from './given/observed-moments.js';
import { isWell, said, small, TriedDatabase } from './given/tried-database.js';
import { Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('drained');

/** All Pods of the namespace but those of the tests themselves. */
const pods = async (): Promise<readonly LivePod[]> =>
  listed(Pod, { namespace, labelSelector: 'reconstruct.dev/database=orders' });

const controllerOf = ({ metadata }: LiveObject) => metadata.ownerReferences?.find(({ controller }) => controller);

/** Which Pods there are, and how often their containers ended. */
const running = async () =>
  (await pods())
    .map(({ metadata, status }) => {
      const restarts = (status?.containerStatuses ?? []).map(({ restartCount }) => restartCount);
      return `${metadata.name} ${metadata.uid} ${restarts.join()}`;
    })
    .toSorted();

describe('a Database whose nodes are drained', () => {
  const orders = new TriedDatabase(namespace, 'orders', {
    ...small,
    deletionPolicy: 'Snapshot',
    backup: { schedule: '0 3 1 1 *', verify: 'Never', target: { volume: { size: '1Gi' } } },
  });
  const witnesses = new Witnesses(orders);

  beforeAll(() => orders.begin());

  test('line 25: each node is drained without --force, one after the other, and no acknowledged row is lost', async () => {
    const nodes = (await listed(Node)).map(({ metadata }) => metadata.name).toSorted();
    for (const node of nodes) {
      // A writer is a Pod without a controller, so it runs elsewhere.
      const writer = await witnesses.write(`${node} drained`, node);
      const began = Date.now();
      try {
        expect(await seenDuring(orders, noPrimaryGoes, () => drain(node))).toEqual([]);
        figure(25, `${node} drained without --force in ${seconds(began, Date.now())}`);
      } finally {
        await uncordon(node);
      }
      await orders.until('it is well', isWell, 240);
      await writer.untilRows(50);
      await writer.stop();
    }
    expect(await witnesses.lost()).toEqual([]);
  });

  test.each(['background', 'foreground'])(
    'line 25: what controls its Pods is deleted (%s): they get another controller and run on',
    async (cascade) => {
      await orders.until('it is well', isWell, 240);
      const before = await running();
      const [pod] = await pods();
      const { name = '', uid } = (pod && controllerOf(pod)) ?? {};
      const of = ['--namespace', namespace];
      await kubectl([...of, 'delete', `configmap/${name}`, `--cascade=${cascade}`, '--timeout=60s']);
      const areMoved = async () => (await pods()).every((one) => ![undefined, uid].includes(controllerOf(one)?.uid));
      await until(areMoved, { what: 'all Pods have another controller', within: 60_000, every: 200 });
      const next = controllerOf((await pods())[0] as LivePod);
      expect((await read(ConfigMap, { namespace, name: next?.name ?? '' }))?.metadata.uid).toBe(next?.uid);
      expect(await running()).toEqual(before);
    },
  );

  test('line 25: it is deleted in the foreground: its Pods run until its last backup is verified, and all is gone', async () => {
    const { uid } = (await orders.primary()).metadata;
    const early: string[] = [];
    await kubectl(['--namespace', namespace, 'delete', 'database/orders', '--cascade=foreground', '--wait=false']);
    const isGone = async () => {
      const live = await orders.found();
      const isThere = (await orders.pods()).some((pod) => pod.metadata.uid === uid && !pod.metadata.deletionTimestamp);
      if (live && !isThere && /^Snapshot(Running|Verifying)/.test(said(live, 'Deletable'))) early.push('a primary');
      return live === undefined;
    };
    const began = Date.now();
    await until(isGone, { what: 'it is gone', within: 240_000, every: 300 });
    figure(25, `deleted in the foreground in ${seconds(began, Date.now())}`);
    expect(early).toEqual([]);
    expect(await orders.pods()).toEqual([]);
    const left = await listed(ConfigMap, { namespace, labelSelector: 'reconstruct.dev/controller=database' });
    expect(left).toEqual([]);
  });
});
