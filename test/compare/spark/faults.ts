import { setTimeout as pause } from 'node:timers/promises';
import { read } from '../../e2e/cluster/api.js';
import { cordon, killProcesses, uncordon } from '../../e2e/cluster/faults.js';
import { Pod } from '../../e2e/cluster/kinds.js';
import { kubectl } from '../../e2e/cluster/kubectl.js';
import { power } from '../../e2e/cluster/power.js';
import { mostAtOnce, type SparkPod } from './spark-pods.js';
import { type SparkRunner, sparkImage } from './spark-runner.js';
import type { WatchedJobs } from './watched-jobs.js';

/** Tasks of a job that runs until it is deleted, and of a short one. */
const tasks = { endless: 100_000, few: 4 };
/** Seconds that are waited for the first executor, for another driver, for the end of a short job, and then for its drivers. */
const patience = { start: 300, next: 180, end: 420, last: 20 };
/** How often the operator is killed until it is between the driver and its own status. */
const tries = 8;

/** The taint by which a person says that a node is off. */
const outOfService = 'node.kubernetes.io/out-of-service';

type Say = (line: string) => void;

/** All processes of the driver end at once. */
export async function killedDriver(_: SparkRunner, jobs: WatchedJobs, say: Say): Promise<string> {
  const name = 'killed-driver';
  const driver = await running(jobs, name);
  const { namespace } = jobs.runner;
  const pod = await read(Pod, { namespace, name: driver.name });
  if (!pod) throw new Error(`there is no Pod ${driver.name}`);
  await killProcesses(pod, sparkImage());
  const hasEnded = () => ofDriver(jobs, driver)?.endsAt !== undefined;
  if (!(await jobs.within(60, hasEnded))) throw new Error(`the Pod ${driver.name} has not ended`);
  const began = ofDriver(jobs, driver)?.endsAt ?? performance.now();
  const result = await nextDriver(jobs, driver, { began, seconds: patience.next });
  say(`${name}: ${result}`);
  await jobs.delete(name);
  return result;
}

/** The power of the node of the driver goes. Then a person says that it is off, and then it comes back. */
export async function lostNode(runner: SparkRunner, jobs: WatchedJobs, say: Say): Promise<string> {
  const name = 'lost-node';
  const spared = new Set((await runner.pods()).flatMap(({ spec }) => spec.nodeName ?? []));
  for (const node of spared) await cordon(node);
  const driver = await running(jobs, name).finally(async () => {
    for (const node of spared) await uncordon(node);
  });
  const node = driver.node ?? (await read(Pod, { namespace: runner.namespace, name: driver.name }))?.spec.nodeName;
  if (node === undefined) throw new Error(`the Pod ${driver.name} has no node`);
  const results: string[] = [];
  const began = performance.now();
  try {
    await power('kill', node);
    results.push(await nextDriver(jobs, driver, { began, seconds: patience.next }));
    say(`${name}: ${results.at(-1)}`);
    if (!followed(jobs, driver)) {
      await kubectl(['taint', 'node', node, `${outOfService}=nodeshutdown:NoExecute`]);
      const told = performance.now();
      results.push(`with the taint: ${await nextDriver(jobs, driver, { began: told, seconds: patience.next })}`);
      say(`${name}: ${results.at(-1)}`);
    }
  } finally {
    await power('start', node);
    await kubectl(['taint', 'node', node, `${outOfService}-`]).catch(() => ''); // it has none if it was not needed
  }
  await kubectl(['wait', `node/${node}`, '--for=condition=Ready', '--timeout=120s']);
  await jobs.delete(name);
  return results.join('; ');
}

/** The operator ends when the Pod of the driver appears, so that its own status does not have the driver yet. */
export async function killedOperator(runner: SparkRunner, jobs: WatchedJobs, say: Say): Promise<string> {
  for (let count = 1; count <= tries; count++) {
    const name = `killed-operator-${count}`;
    const armed = await runner.arm();
    let firedAt = 0;
    jobs.pods.onNew = (pod) => {
      if (pod.job !== name || pod.role !== 'driver' || firedAt > 0) return;
      armed.fire();
      firedAt = performance.now();
    };
    try {
      await jobs.start(name, tasks.few);
      if (!(await jobs.within(patience.start, () => firedAt > 0))) throw new Error(`${name} has no driver`);
      await pause(1000); // a write that was under way arrives
      const [told, isMissed] = [jobs.told(name), jobs.knowsDriver(name)];
      await jobs.within(patience.end, () => jobs.endingOf(name) !== undefined);
      // The status can be ahead of the phase of the Pod.
      await jobs.within(patience.last, () => jobs.pods.of(name, 'driver').every(({ endsAt }) => endsAt !== undefined));
      const result = `${endOf(jobs, name, firedAt)}; its status at the kill: ${told}`;
      say(`${name}: ${result}`);
      if (!isMissed) return result;
    } finally {
      jobs.pods.onNew = () => {};
      await armed.end();
      await jobs.delete(name);
    }
  }
  throw new Error(`the status had the driver each time, in ${tries} kills`);
}

/** Starts a job that does not end. @returns its driver, once an executor runs */
async function running(jobs: WatchedJobs, name: string): Promise<SparkPod> {
  await jobs.start(name, tasks.endless);
  const runs = await jobs.within(patience.start, () => jobs.pods.firstExecutor(name) !== undefined);
  const [driver] = jobs.pods.of(name, 'driver');
  if (!runs || !driver) throw new Error(`${name} has no executor after ${patience.start} s: ${jobs.told(name)}`);
  return driver;
}

/** Another driver of the same job that runs. */
function followed(jobs: WatchedJobs, { job, uid }: SparkPod): SparkPod | undefined {
  return jobs.pods.of(job, 'driver').find((pod) => pod.uid !== uid && pod.runsFrom !== undefined);
}

function ofDriver(jobs: WatchedJobs, { job, uid }: SparkPod): SparkPod | undefined {
  return jobs.pods.of(job, 'driver').find((pod) => pod.uid === uid);
}

/** Waits for another driver. @returns when it ran, and what the status says */
async function nextDriver(
  jobs: WatchedJobs,
  driver: SparkPod,
  { began, seconds }: { readonly began: number; readonly seconds: number },
): Promise<string> {
  await jobs.within(seconds, () => followed(jobs, driver) !== undefined);
  const next = followed(jobs, driver);
  const after = next?.runsFrom === undefined ? undefined : ((next.runsFrom - began) / 1000).toFixed(1);
  if (after === undefined) return `no other driver in ${seconds} s; ${jobs.told(driver.job)}`;
  await pause(2000); // the operator sees it too
  const most = mostAtOnce(jobs.pods.of(driver.job, 'driver'));
  return `another driver runs after ${after} s, ${most} at a time; ${jobs.told(driver.job)}`;
}

/** How a job ended, and with how many drivers. */
function endOf(jobs: WatchedJobs, name: string, from: number): string {
  const drivers = jobs.pods.of(name, 'driver');
  const ending = jobs.endingOf(name);
  const end = ending ? `${ending.outcome} after ${((ending.at - from) / 1000).toFixed(1)} s` : 'no end';
  const alive = ending && drivers.some(({ endsAt }) => endsAt === undefined);
  const left = alive ? ', a driver ran on' : '';
  const ran = drivers.filter(({ runsFrom }) => runsFrom !== undefined).length;
  return `${end}, ${drivers.length} drivers, ${ran} ran, ${mostAtOnce(drivers)} at a time${left}; ${jobs.told(name)}`;
}
