import { setTimeout as pause } from 'node:timers/promises';
import { quantileOf } from '../../kills/distribution.js';
import { CountedRequests, type PodUse, useOf } from './costs.js';
import type { SparkRunner } from './spark-runner.js';
import type { WatchedJobs } from './watched-jobs.js';

/** Jobs of a batch, how many of them at a time, and the tasks of each. */
const size = { jobs: 50, atOnce: 10, tasks: 4 };
/** Seconds that a job may take. */
const patience = 900;
/** Seconds after the last job, until its Pods are cleaned up and the kubelets have counted. */
const settling = 60;
/** Seconds between two looks at the memory. */
const sampling = 10;

/** What a batch took. */
export interface Batch {
  /** Seconds from the creation of each job to its first executor. */
  readonly toExecutor: readonly number[];
  /** Seconds from the creation of each job to its end in its status. */
  readonly toEnd: readonly number[];
  readonly succeeded: number;
  /** Seconds until all jobs had ended. */
  readonly total: number;
  /** Of the operator. */
  readonly requests: number;
  /** CPU seconds of the operator. */
  readonly cpu: number;
  /** Bytes of the operator, at most. */
  readonly memory: number;
  /** Requests of the operator in a minute without a job, before the batch. */
  readonly idleRequests: number;
}

/** What the table says of a batch. */
export const batchName = `${size.jobs} jobs, ${size.atOnce} at a time`;

/** Runs the jobs. */
export async function batch(runner: SparkRunner, jobs: WatchedJobs, say: (line: string) => void): Promise<Batch> {
  const counted = await CountedRequests.of(runner.account);
  try {
    const atFirst = await counted.count();
    await pause(60_000);
    const before = await counted.count();
    const used = await useOf(await runner.pods());
    const began = performance.now();
    const sampled = sampledMemory(runner);
    const times = await allJobs(jobs, say);
    const total = seconds(began, performance.now());
    const memory = await sampled.end();
    await pause(1000 * settling);
    const { cpu } = await useOf(await runner.pods());
    const after = await counted.count();
    const costs = { requests: after - before, cpu: cpu - used.cpu, memory, idleRequests: before - atFirst };
    return { ...times, total, ...costs };
  } finally {
    await counted.stop();
  }
}

async function allJobs(
  jobs: WatchedJobs,
  say: (line: string) => void,
): Promise<Pick<Batch, 'toExecutor' | 'toEnd' | 'succeeded'>> {
  const toExecutor: number[] = [];
  const toEnd: number[] = [];
  let [next, succeeded] = [0, 0];
  const worker = async () => {
    while (next < size.jobs) {
      const name = `pi-${next++}`;
      const began = await jobs.start(name, size.tasks);
      await jobs.within(patience, () => jobs.endingOf(name) !== undefined);
      const ending = jobs.endingOf(name);
      const executor = jobs.pods.firstExecutor(name);
      if (ending) toEnd.push(seconds(began, ending.at));
      if (executor !== undefined) toExecutor.push(seconds(began, executor));
      if (ending?.outcome === 'Succeeded') succeeded++;
      const shown = executor === undefined ? 'no executor' : `executor after ${seconds(began, executor).toFixed(1)} s`;
      say(`${name}: ${shown}, ${jobs.told(name)} after ${seconds(began, performance.now()).toFixed(1)} s`);
    }
  };
  await Promise.all(Array.from({ length: size.atOnce }, worker));
  return { toExecutor, toEnd, succeeded };
}

function seconds(from: number, to: number): number {
  return (to - from) / 1000;
}

/** Looks at the memory of the operator again and again. */
function sampledMemory(runner: SparkRunner): { readonly end: () => Promise<number> } {
  const stop = new AbortController();
  const { signal } = stop;
  const sampled = (async () => {
    let most = 0;
    while (!signal.aborted) {
      const { memory }: PodUse = await useOf(await runner.pods());
      most = Math.max(most, memory);
      await pause(1000 * sampling, undefined, { signal }).catch(() => {});
    }
    return most;
  })();
  sampled.catch(() => {}); // told by end
  return {
    end: () => {
      stop.abort();
      return sampled;
    },
  };
}

/** The median and the value that 95 % are not above. */
export function shownSeconds(values: readonly number[]): string {
  if (values.length === 0) return 'none';
  return `${quantileOf(values, 0.5).toFixed(1)} s, ${quantileOf(values, 0.95).toFixed(1)} s`;
}

/** With the share of one job. */
export function shownPerJob(sum: number, unit = ''): string {
  return `${Math.round(sum)}${unit}, ${(sum / size.jobs).toFixed(1)}${unit} for each`;
}
