import type { Comparison, Figure } from '../comparison.js';
import { type Batch, batch, batchName, shownPerJob, shownSeconds } from './batch.js';
import { killedDriver, killedOperator, lostNode } from './faults.js';
import { reconstruct } from './reconstruct.js';
import { sparkOperator } from './spark-operator/runner.js';
import type { SparkRunner } from './spark-runner.js';
import { WatchedJobs } from './watched-jobs.js';

const contestants = { 'spark-operator': sparkOperator, reconstruct } as const;

/** What `npm run compare` does for this system. */
export const comparison = {
  about: 'batches of Spark jobs, and what follows a fault',
  contestants: Object.keys(contestants),
  run: async (namespace, use, isWanted) => {
    for (const [name, make] of Object.entries(contestants)) {
      if (!isWanted(name)) continue;
      const runner = make(namespace);
      try {
        await runner.start();
        await use(new Compared(runner), figures);
      } finally {
        await runner.stop().catch(console.error);
      }
    }
  },
} satisfies Comparison<Compared>;

type Say = (line: string) => void;

/** An operator, with the batch that several rows are about. */
class Compared {
  readonly name: string;
  #batch: Promise<Batch> | undefined;

  constructor(readonly runner: SparkRunner) {
    this.name = runner.name;
  }

  batch(say: Say): Promise<Batch> {
    this.#batch ??= this.watched((runner, jobs) => batch(runner, jobs, say));
    return this.#batch;
  }

  async watched<T>(act: (runner: SparkRunner, jobs: WatchedJobs) => Promise<T>): Promise<T> {
    const jobs = new WatchedJobs(this.runner);
    try {
      return await act(this.runner, jobs);
    } finally {
      await jobs.stop();
    }
  }
}

const ofBatch = (what: string, shown: (batch: Batch) => string): Figure<Compared> => ({
  what: `${batchName}: ${what}`,
  of: async (compared, say) => shown(await compared.batch(say)),
});

const afterFault = (
  what: string,
  fault: (runner: SparkRunner, jobs: WatchedJobs, say: Say) => Promise<string>,
): Figure<Compared> => ({
  what: `fault: ${what}`,
  of: (compared, say) => compared.watched((runner, jobs) => fault(runner, jobs, say)),
});

const figures: readonly Figure<Compared>[] = [
  ofBatch('an executor runs after (median, 95 %)', ({ toExecutor }) => shownSeconds(toExecutor)),
  ofBatch('ended after (median, 95 %)', ({ toEnd }) => shownSeconds(toEnd)),
  ofBatch('all ended after', ({ total, succeeded }) => `${total.toFixed(0)} s, ${succeeded} succeeded`),
  ofBatch('requests of the operator', ({ requests }) => shownPerJob(requests)),
  ofBatch('requests of the operator in a minute before', ({ idleRequests }) => String(idleRequests)),
  ofBatch('CPU of the operator', ({ cpu }) => shownPerJob(cpu, ' s')),
  ofBatch('memory of the operator, at most', ({ memory }) => `${Math.round(memory / 2 ** 20)} MiB`),
  afterFault('the driver is killed', killedDriver),
  afterFault('the node of the driver is lost', lostNode),
  afterFault('the operator is killed when the driver appears', killedOperator),
];
