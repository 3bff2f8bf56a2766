import { setTimeout as pause } from 'node:timers/promises';
import { isReady, type LivePod } from '../../e2e/cluster/kinds.js';
import { Producer } from '../../e2e/kafka/records.js';
import { small, TriedKafka } from '../../e2e/kafka/tried-kafka.js';
import type { KillsProps, KillsResult, SystemKills } from '../system-kills.js';
import { killedBy, wayOf } from '../ways.js';

/** What `npm run kills` does to this system. */
export const kills = {
  victims: 'nodes of a KafkaCluster',
  counted: 'records',
  pauses: 'secondsWithoutWrites',
  run: kafkaKills,
} satisfies SystemKills;

/** Records a second. */
const rate = 100;
/** Milliseconds. The operator asks the brokers for their state every five seconds, so the status is older. */
const oldest = 6_000;

/**
 * Kills a broker or a controller of a KafkaCluster at random, again and again, while a producer writes numbered records. At
 * the end it reads the topic.
 */
async function kafkaKills(namespace: string, { kills, say, signal }: KillsProps): Promise<KillsResult> {
  const kafka = new TriedKafka(namespace, { ...small, deletionPolicy: 'Delete' });
  await kafka.begin();
  const producer = await Producer.start(kafka.site, rate);
  const pauses: number[] = [];
  let changes = 0;
  try {
    for (let count = 1; count <= kills && !signal.aborted; count++) {
      const way = wayOf(count);
      const before = await leaderOf(kafka);
      const victim = anyOf(await kafka.pods());
      const began = Date.now();
      await killedBy(way, victim);
      await untilWell(kafka, `kill ${count}`);
      await producer.untilMore(rate);
      const { longestGap, acknowledged, errors } = producer.sent(began);
      const after = await leaderOf(kafka);
      pauses.push(longestGap / 1_000);
      changes += Number(after !== before);
      const figures = `${longestGap} ms without acknowledgements, ${acknowledged.size} acknowledged so far`;
      const failed = Object.values(errors).reduce((sum, times) => sum + times, 0);
      say(
        `${count} of ${kills}: ${victim.metadata.name} ${way.what}, controller ${after} leads, ${figures}, ${failed} failed`,
      );
    }
  } finally {
    await producer[Symbol.asyncDispose]();
  }
  const { acknowledged } = producer.sent();
  const lost = await producer.lost();
  await kafka.end();
  return { pauses, acknowledged: acknowledged.size, changes, lost };
}

/** Resolves when all nodes serve and all replicas are in sync, by an answer that is younger than the kill. */
async function untilWell(kafka: TriedKafka, kill: string): Promise<void> {
  await kafka.until(`all Pods are ready after ${kill}`, async () => (await kafka.pods()).every(isReady));
  await pause(oldest);
  await kafka.until(`all replicas are in sync after ${kill}`, () => kafka.isSettled());
}

/** The leader of the quorum. */
async function leaderOf(kafka: TriedKafka): Promise<number | undefined> {
  return (await kafka.live())?.status?.activeController;
}

function anyOf(pods: readonly LivePod[]): LivePod {
  const pod = pods[Math.floor(Math.random() * pods.length)];
  if (pod) return pod;
  throw new Error('the KafkaCluster has no Pods');
}
