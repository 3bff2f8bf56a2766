import type { SparkJobStatus } from '../../../imports/index.js';
import type { SimulatedPod, SparkMachines } from './spark-machines.js';

/** What a SparkJob promises. */
export class SparkJudge {
  broken: string | undefined;
  /** Runs of jobs whose success the API server has, by the UID of the job and the number of the run. */
  readonly #succeeded = new Set<string>();
  readonly #finished = new Set<string>();

  constructor(readonly machines: () => SparkMachines) {}

  finds(promise: string, what: string): void {
    this.broken ??= `${promise}: ${what}`;
  }

  /** The process of a driver starts. */
  starts(driver: SimulatedPod): void {
    const other = this.machines().pods.find((one) => one !== driver && one.role === 'driver' && one.isAlive);
    if (other) this.finds('runs one driver at a time', `${driver.name} starts beside ${other.name}`);
  }

  /** The kubelet reports how a driver ended. */
  reports({ job, attempt, exitCode }: SimulatedPod): void {
    if (exitCode === 0) this.#succeeded.add(`${job} ${attempt.split('-')[0]}`);
  }

  /** The operator creates a driver. */
  creates(
    name: string,
    attempt: string,
    { job, known }: { readonly job: string; readonly known: ReadonlySet<string> },
  ) {
    if (this.#finished.has(job)) this.finds('leaves a job that has ended', `${name} is created`);
    if (this.#succeeded.has(`${job} ${attempt.split('-')[0]}`))
      this.finds('runs no job again that has succeeded', `${name} is created`);
    if (known.has(`${job} ${attempt}`)) this.finds('creates one driver for each attempt', `${name} is created again`);
  }

  /** The operator writes a status. */
  writes(job: string, status: SparkJobStatus, before: Partial<SparkJobStatus>): void {
    const { ended = [], failureCounts = [], retries, completionTime } = status;
    const names = ended.map(({ run, attempt }) => `${run}-${attempt}`);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) this.finds('counts each attempt once', `${twice} is there twice`);
    const sum = (counts: SparkJobStatus['failureCounts'] = []) => counts.reduce((all, { count }) => all + count, 0);
    const added = sum(failureCounts) - sum(before.failureCounts);
    const isNew = names[0] !== undefined && names[0] !== entryOf(before);
    if (added !== 0 && !(added === 1 && isNew && ended[0]?.budget !== undefined))
      this.finds('counts each failure once', `${added} are added with ${names[0]}`);
    const used = Object.values(retries?.used ?? {}).reduce((all, count) => all + count, 0);
    if (used > (retries?.counted ?? 0))
      this.finds('counts each failure once', `${used} retries of ${retries?.counted}`);
    if (completionTime !== undefined) this.#finished.add(job);
  }
}

function entryOf({ ended: [last] = [] }: Partial<SparkJobStatus>): string | undefined {
  return last && `${last.run}-${last.attempt}`;
}
