import { beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseResource } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { deleteByForce, drain, killProcesses, uncordon } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { type LivePod, Pod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { scaleOperator, untilRolledOut } from '../cluster/operator-pods.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { noPrimaryGoes, seenDuring } from './given/observed-moments.js';
import { TriedDatabase } from './given/tried-database.js';
import { nothing, told, Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('lost');

describe('a Database that loses its primary', () => {
  const orders = new TriedDatabase(namespace, 'orders');
  const witnesses = new Witnesses(orders);
  let volumes: readonly string[];

  beforeAll(async () => {
    await orders.begin();
    volumes = await uidsOfClaims();
  });

  test('line 2: the processes of its Pod are killed: every acknowledged row is there, and writes resume', async () => {
    const endured = await witnesses.endure('killed', async (primary) => {
      await killProcesses(primary);
      await until(() => hasRestarted(primary), { what: 'its container starts again', within: 90_000 });
    });
    figure(2, `killed: ${told(endured)}`);
    expect(endured).toMatchObject(nothing);
    expect(endured.pause).toBeLessThan(15);
    expect(await uidsOfClaims()).toEqual(volumes);
  });

  test('line 2: its Pod is deleted by force: every acknowledged row is there, and writes resume', async () => {
    const endured = await witnesses.endure('deleted', async (primary) => {
      await deleteByForce(primary);
      await until(() => isAnother(primary), { what: 'it has another Pod', within: 90_000 });
    });
    figure(2, `deleted by force: ${told(endured)}`);
    expect(endured).toMatchObject(nothing);
    expect(endured.pause).toBeLessThan(15);
    expect(await uidsOfClaims()).toEqual(volumes);
  });

  test.skipIf(powerless).each([
    { fault: 'killed', down: 'kill', up: 'start' },
    { fault: 'cut off', down: 'partition', up: 'heal' },
  ] as const)(
    `line 2: its node is $fault: a synchronous replica leads, every acknowledged row is there, and it comes back by itself${powerNote}`,
    async ({ fault, down, up }) => {
      let before: DatabaseResource | undefined;
      let lost: LivePod | undefined;
      const endured = await witnesses.endure(`node ${fault}`, async (primary, writer) => {
        before = await orders.live();
        lost = primary;
        const node = primary.spec.nodeName ?? '';
        await power(down, node);
        try {
          const next = await orders.primary(primary.metadata.name);
          await writer.untilRows(50);
          const sync = before.status?.instances?.filter(({ synchronous }) => synchronous).map(({ name }) => name);
          expect(sync).toContain(next.metadata.name);
        } finally {
          await power(up, node);
        }
        await orders.until('the old primary follows', ({ status }) => isReplica(status, primary.metadata.name), 180);
      });
      figure(2, `node ${fault}: ${told(endured)}`);
      expect(endured).toMatchObject(nothing);
      expect(endured.pause).toBeLessThan(60);
      expect(await uidsOfClaims()).toEqual(volumes);
      expect((await orders.primary()).metadata.name).not.toBe(lost?.metadata.name);
    },
  );

  test('line 4: a drain of its node switches the primary over before its Pod stops', async () => {
    let broken: readonly string[] = [];
    const endured = await witnesses.endure('drained', async (primary) => {
      const node = primary.spec.nodeName ?? '';
      try {
        const began = Date.now();
        broken = await seenDuring(orders, noPrimaryGoes, () => drain(node));
        figure(4, `drained in ${seconds(began, Date.now())}`);
        expect((await orders.primary()).metadata.name).not.toBe(primary.metadata.name);
      } finally {
        await uncordon(node);
      }
    });
    figure(4, told(endured));
    expect(broken).toEqual([]);
    expect(endured).toMatchObject(nothing);
  });

  test('line 4: a budget keeps others from evicting the primary', async () => {
    const { name } = (await orders.primary()).metadata;
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
    const evicted = kubectl(['create', '--raw', path, '-f', '-'], JSON.stringify(eviction));
    await expect(evicted).rejects.toThrow(/disruption budget/);
  });

  test('line 10: it serves and fails over without an operator, and a later operator repairs it', async () => {
    const endured = await witnesses.endure('without operator', async (primary, writer) => {
      const began = Date.now();
      await scaleOperator(0);
      try {
        await writer.untilRows(50);
        await deleteByForce(primary);
        await orders.primary(primary.metadata.name);
        await writer.untilRows(1000);
        expect(await orders.pods()).toHaveLength(2);
      } finally {
        await scaleOperator(2);
        await untilRolledOut();
      }
      figure(10, `no operator for ${seconds(began, Date.now())}`);
      await until(() => isAnother(primary), { what: 'it has another Pod', within: 90_000 });
    });
    figure(10, told(endured));
    expect(endured).toMatchObject(nothing);
  });

  async function uidsOfClaims(): Promise<readonly string[]> {
    return (await orders.claims()).map(({ metadata }) => `${metadata.name} ${metadata.uid}`).toSorted();
  }
});

function isReplica(status: DatabaseResource['status'], name: string): boolean {
  return status?.instances?.some((one) => one.name === name && one.role === 'Replica') ?? false;
}

/** Whether a container of the Pod has ended since, or the Pod itself. */
async function hasRestarted(pod: LivePod): Promise<boolean> {
  const live = await read(Pod, pod.metadata);
  return live?.metadata.uid !== pod.metadata.uid || restartsOf(live) > restartsOf(pod);
}

function restartsOf({ status }: LivePod): number {
  return (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
}

/** Whether there is another Pod of its name. */
async function isAnother({ metadata }: LivePod): Promise<boolean> {
  const uid = (await read(Pod, metadata))?.metadata.uid;
  return uid !== undefined && uid !== metadata.uid;
}
