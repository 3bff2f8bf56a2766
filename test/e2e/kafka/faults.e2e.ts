import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PersistentVolumeClaim } from '../../../operator/index.js';
import { figure } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { drain, uncordon } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { isReady, type LivePod, Node } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { zoneLabel } from '../cluster/zones.js';
import { type Rule, seenDuring } from '../database/given/observed-moments.js';
import { metricsOf, sampleOf } from './node-metrics.js';
import { Producer } from './records.js';
import { small, TriedKafka, uidsOf } from './tried-kafka.js';

/**
 * Milliseconds. The session of a broker lasts 9 s, in which its partitions wait for it. If the active controller was on the
 * same machine, another one must be elected first.
 */
const longestGap = 20_000 * slower;

describe.skipIf(powerless)(`a KafkaCluster that loses machines${powerNote}`, () => {
  const namespace = givenNamespace('kafka-faults');
  const kafka = new TriedKafka(namespace, { ...small, replaceAfter: '20s' });
  const isSettled = () => kafka.isSettled();
  let producer: Producer;
  /** A machine of each zone, with a broker and a controller. The clients run on the last one, to which nothing happens. */
  let [first, second, last] = ['', '', ''];

  beforeAll(async () => {
    await kafka.begin();
    [first = '', second = '', last = ''] = await machines(kafka);
    producer = await Producer.start({ ...kafka.site, node: last }, 200);
  }, 420_000 * slower);
  afterEach(() => switchOn());
  afterAll(async () => {
    await producer?.[Symbol.asyncDispose]().catch(console.error);
    await kafka.end();
  });

  /** Pods of the cluster on a machine. */
  const podsOn = async (machine: string) => (await kafka.pods()).filter(({ spec }) => spec.nodeName === machine);
  const controllerMetrics = async (id: number) => metricsOf(namespace, `events-controller-${id}`);
  /** The number of voters, as the leader of the quorum has it. */
  const voters = async () => {
    const active = await kafka.activeController();
    return sampleOf(await controllerMetrics(active), 'kafka_server_raftmetrics_number_of_voters');
  };

  it(
    'lines 2 and 10: a zone is lost, and then another: no replica without all records leads, and no record is lost',
    async () => {
      const { longestGap: gap } = await producer.during(2, `${first} killed, until a broker less serves`, async () => {
        await switchOff(first);
        const isFenced = async () => {
          const is = await kafka.reasons();
          return is['Replicated'] === 'UnderReplicated' && is['Available'] === 'Serving';
        };
        await kafka.until('two brokers serve, and one is not in sync', isFenced);
      });
      expect(gap).toBeLessThan(longestGap);

      // The broker of the first zone lacks the records that were acknowledged since.
      await producer.during(10, `${second} killed too, until both are back`, async () => {
        await switchOff(second);
        const isTold = async () => {
          const is = await kafka.reasons();
          const isDown = ['BrokersUnreachable', 'NoQuorum', 'PartitionsOffline'].includes(is['Available'] ?? '');
          return isDown && is['Provisioned'] === 'NodeNotReady';
        };
        await kafka.until('the conditions tell it', isTold);
        figure(10, `two zones lost: Available ${(await kafka.reasons())['Available']}`);
        const { size } = producer.sent().acknowledged;
        await pause(5_000);
        expect(producer.sent().acknowledged.size).toBe(size);
        await switchOn(first);
        await kafka.until('two zones serve', async () => (await kafka.reasons())['Available'] === 'Serving');
        await producer.untilMore(200, 180);
        await switchOn(second);
        await kafka.until('all serve', isSettled);
      });
      // The controller of the last zone has counted all along.
      for (const { metadata } of await kafka.controllers()) {
        const metrics = await metricsOf(namespace, metadata.name);
        expect(sampleOf(metrics, 'kafka_controller_controllerstats_uncleanleaderelections_total')).toBe(0);
      }
    },
    900_000 * slower,
  );

  it(
    'line 12: two machines are drained at once without --force: one broker and one controller go at a time',
    async () => {
      const oneGoes: Rule = async ({ pods }) => {
        const controllers = (await kafka.controllers()).filter(isReady).length;
        const brokers = pods.filter(isReady).length;
        return brokers < 2 || controllers < 2
          ? `${brokers} brokers and ${controllers} controllers are ready`
          : undefined;
      };
      const stays = await podsOn(second);
      const seen = await seenDuring({ pods: () => kafka.brokers(), claims: async () => [] }, oneGoes, async () => {
        const { longestGap: gap } = await producer.during(12, `${first} and ${second} drained`, async () => {
          try {
            await drain(first);
            const other = drain(second).then(() => undefined, String);
            await pause(15_000);
            expect(uidsOf((await podsOn(second)).filter(isReady))).toEqual(uidsOf(stays));
            await uncordon(first);
            expect(await other).toBe(undefined);
          } finally {
            for (const machine of [first, second]) await uncordon(machine);
          }
          await kafka.until('all serve', isSettled);
        });
        expect(gap).toBeLessThan(longestGap);
      });
      expect(seen).toEqual([]);
    },
    600_000 * slower,
  );

  it(
    'line 5: three controllers become five and three again, and no other node is replaced',
    async () => {
      const before = uidsOf(await kafka.pods());
      const resize = async (replicas: number) => {
        await kafka.apply({ controllers: { ...small.controllers, replicas } });
        const is = async () =>
          (await isSettled()) &&
          (await kafka.controllers()).length === replicas &&
          (await voters().catch(String)) === replicas;
        await kafka.until(`${replicas} controllers have votes`, is, 400);
        expect(await voters()).toBe(replicas);
        const { status } = (await kafka.live()) ?? {};
        expect(status?.controllers).toBe(`${replicas}/${replicas}`);
        const disks = status?.nodes?.flatMap(({ directoryId }) => directoryId ?? []);
        expect(new Set(disks).size).toBe(replicas);
      };
      const grown = await producer.during(5, '3 to 5 controllers', () => resize(5));
      const shrunk = await producer.during(5, '5 to 3 controllers', () => resize(3));
      expect(Math.max(grown.longestGap, shrunk.longestGap)).toBeLessThan(longestGap);
      expect(uidsOf(await kafka.pods())).toEqual(before);
    },
    900_000 * slower,
  );

  it(
    'line 2: a machine is gone for good: other nodes on new volumes take the places of its broker and its controller',
    async () => {
      const gone = (await podsOn(second)).map(({ metadata }) => metadata.name).toSorted();
      const volumes = await volumesOf(namespace, gone);
      expect(gone).toHaveLength(2);
      const { longestGap: gap } = await producer.during(2, `${second} gone for good, until replaced`, async () => {
        await switchOff(second);
        const isOff = async () => (await podsOn(second)).every((pod) => !isReady(pod));
        await kafka.until('its Pods are not ready', isOff);
        await kubectl(['delete', 'node', second]);
        const isReplaced = async () => {
          const names = (await kafka.pods()).map(({ metadata }) => metadata.name);
          return (await isSettled()) && names.length === 6 && !names.some((name) => gone.includes(name));
        };
        await kafka.until('other nodes have taken their places', isReplaced, 400);
      });
      expect(gap).toBeLessThan(longestGap);
      const metrics = await controllerMetrics(await kafka.activeController());
      const registered = ['fencedbrokercount', 'activebrokercount'].map((name) =>
        sampleOf(metrics, `kafka_controller_kafkacontroller_${name}`),
      );
      expect(registered).toEqual([0, 3]);
      expect(await voters()).toBe(3);
      expect(await volumesOf(namespace, gone)).toEqual(volumes.map((volume) => ({ ...volume, retired: 'lost' })));
    },
    900_000 * slower,
  );

  it('every acknowledged record is there', async () => expect(await producer.lost()).toEqual([]), 400_000 * slower);
});

/** Machines without power. */
const off = new Set<string>();

async function switchOff(machine: string): Promise<void> {
  off.add(machine);
  await power('kill', machine);
}

/** @param machines all that are off, by default */
async function switchOn(...machines: readonly string[]): Promise<void> {
  for (const machine of machines.length > 0 ? machines : [...off]) {
    await power('start', machine);
    off.delete(machine);
  }
}

/**
 * A machine of each zone, in the order of their names.
 * @throws {Error} unless each has one broker and one controller: then the loss of a zone would be that of a majority
 */
async function machines(kafka: TriedKafka): Promise<readonly string[]> {
  const zones = new Map(
    (await listed(Node)).map(({ metadata: { name, labels } }) => [name, labels?.[zoneLabel] ?? ''] as const),
  );
  const machinesOf = (pods: readonly LivePod[]) => pods.map(({ spec: { nodeName = '' } }) => nodeName).toSorted();
  const [brokers, controllers] = [machinesOf(await kafka.brokers()), machinesOf(await kafka.controllers())];
  const places = brokers.map((machine) => zones.get(machine));
  if (new Set(places).size === 3 && brokers.join() === controllers.join()) return brokers;
  throw new Error(
    `brokers are on ${brokers.join()}, and controllers on ${controllers.join()}: got no pair in each zone`,
  );
}

/** PVCs with their identifiers, and why they are not in use. */
async function volumesOf(namespace: string, names: readonly string[]) {
  const all = await listed(PersistentVolumeClaim, { namespace });
  return all
    .filter(({ metadata }) => names.includes(metadata.name))
    .map(({ metadata: { name, uid, labels, deletionTimestamp } }) => ({
      ...{ name, uid, deletionTimestamp, retired: labels?.['reconstruct.dev/retired'] },
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
