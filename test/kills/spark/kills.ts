import { setTimeout as pause } from 'node:timers/promises';
import { listed } from '../../e2e/cluster/api.js';
import { killProcesses } from '../../e2e/cluster/faults.js';
import { Node } from '../../e2e/cluster/kinds.js';
import { killLeader } from '../../e2e/cluster/operator-pods.js';
import { givePrograms, running, TriedSpark } from '../../e2e/spark/tried-spark.js';
import { Witness } from '../../e2e/spark/witness.js';
import { projectImage } from '../../images/project-images.js';
import type { KillsProps, KillsResult, SystemKills } from '../system-kills.js';

/** What `npm run kills` does to this system. */
export const kills = {
  victims: 'the driver of a SparkJob, and with every second one the operator while it submits the next',
  counted: 'attempts',
  pauses: 'secondsToTheNextStep',
  run: sparkKills,
} satisfies SystemKills;

/** More steps than any attempt does. */
const endless = ['1000000', '0.2'] as const;
/** Milliseconds after a kill in which the operator counts the failure, writes it, and creates the next driver. */
const submits = 3_000;

/** Kills the driver of a SparkJob again and again, while each driver tells a witness of its steps. */
async function sparkKills(namespace: string, { kills, say, signal }: KillsProps): Promise<KillsResult> {
  await givePrograms(namespace);
  const [node] = (await listed(Node)).map(({ metadata }) => metadata.name).sort();
  const witness = await Witness.start(namespace, node ?? '');
  const job = new TriedSpark(namespace, 'killed', {
    ...running('writes.py', witness.address, ...endless),
    retry: { budgets: { run: 1_000 }, backoff: { initial: '0s', jitter: 0 } },
  });
  await job.apply();
  const pauses: number[] = [];
  const lost: string[] = [];
  let done = 0;
  for (; done < kills && !signal.aborted; done++) {
    const driver = await steppingDriver(job, witness, done + 1);
    await killProcesses(driver, projectImage('spark', '4.3.0'));
    const began = Date.now();
    const withOperator = done % 2 === 1;
    if (withOperator) {
      await pause(Math.random() * submits);
      await killLeader();
    }
    await steppingDriver(job, witness, done + 2);
    pauses.push((Date.now() - began) / 1_000);
    const { attempt = 0, retries } = await job.status();
    if (attempt !== done + 2 || retries?.counted !== done + 1)
      lost.push(`after kill ${done + 1}: attempt ${attempt}, ${retries?.counted} failures counted`);
    const what = withOperator ? 'driver and operator killed' : 'driver killed';
    say(`${done + 1} of ${kills}: ${what}, attempt ${attempt} does steps after ${pauses.at(-1)?.toFixed(1)} s`);
  }
  const { processes, overlaps } = await witness.heard();
  const twice = processes.filter(({ driver, uid }) =>
    processes.some((one) => one.driver === driver && one.uid !== uid),
  );
  lost.push(...twice.map(({ driver }) => `${driver} ran twice`));
  await job.delete();
  const both = overlaps.map(({ uid, after, at }) => `${uid} did a step ${at} s after the start, when ${after} ran`);
  return { pauses, acknowledged: processes.length, changes: done, lost, overlaps: both };
}

/** The Pod of the driver of an attempt, once the witness has heard of it. */
async function steppingDriver(job: TriedSpark, witness: Witness, attempt: number) {
  const name = `${job.name}-1-${attempt}-driver`;
  await job.until(
    `the driver of attempt ${attempt} does steps`,
    async () => (await witness.heard()).processes.some(({ driver }) => driver === name),
    300,
  );
  const pod = (await job.pods('driver')).find(({ metadata }) => metadata.name === name);
  if (!pod) throw new Error(`Pod ${name} is gone`);
  return pod;
}
