import { setTimeout as pause } from 'node:timers/promises';
import type { LiveObject, ObjectKind } from '../../../operator/index.js';
import { isApiError } from '../../../operator/runtime/kubernetes/errors.js';
import type { WatchEvent } from '../../../operator/runtime/ports/cluster.js';
import { until } from '../../chaos/wait.js';
import { api } from '../../e2e/cluster/api.js';
import { Pod } from '../../e2e/cluster/kinds.js';
import { kubectl } from '../../e2e/cluster/kubectl.js';
import { SparkPods } from './spark-pods.js';
import type { SparkRunner } from './spark-runner.js';

type Change = Pick<Extract<WatchEvent, { object: LiveObject }>, 'type' | 'object'>;

/** When a job ended, in milliseconds, and how. */
export interface Ending {
  readonly at: number;
  readonly outcome: 'Succeeded' | 'Failed';
}

/** The jobs of an operator and their Pods, as two watches tell of them. */
export class WatchedJobs {
  readonly pods: SparkPods;
  readonly #stop = new AbortController();
  readonly #jobs = new Map<string, LiveObject>();
  readonly #endings = new Map<string, Ending>();
  readonly #watches: Promise<unknown>;
  #failure: unknown;

  constructor(readonly runner: SparkRunner) {
    this.pods = new SparkPods(runner.placeOf);
    this.#watches = Promise.all([
      this.#follow(Pod, (event) => this.pods.saw(event, performance.now())),
      this.#follow(runner.kind, ({ type, object }) => {
        if (type !== 'DELETED') this.#saw(object);
      }),
    ]).catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Creates a job. @returns the milliseconds of the clock before it */
  async start(name: string, tasks: number): Promise<number> {
    const began = performance.now();
    await (await api()).create(this.runner.kind, this.runner.job(name, tasks), { manager: 'compare', strict: true });
    return began;
  }

  /** What the status of a job says, for people. */
  told(name: string): string {
    const job = this.#jobs.get(name);
    return job ? this.runner.told(job) : 'not seen';
  }

  /** Whether the status of a job shows that the operator has seen the Pod of its driver. */
  knowsDriver(name: string): boolean {
    const job = this.#jobs.get(name);
    return job !== undefined && this.runner.knowsDriver(job);
  }

  endingOf(name: string): Ending | undefined {
    return this.#endings.get(name);
  }

  /** Resolves when it is so. @returns whether it was, within the seconds */
  async within(seconds: number, isSo: () => boolean): Promise<boolean> {
    const end = performance.now() + 1000 * seconds;
    const isOver = () => isSo() || performance.now() > end || this.#failure !== undefined;
    await until(isOver, { what: 'its time is over', within: 2000 * seconds + 60_000 });
    if (this.#failure !== undefined) throw this.#failure;
    return isSo();
  }

  /** Deletes a job. Resolves when its Pods are gone. */
  async delete(name: string): Promise<void> {
    const of = ['--namespace', this.runner.namespace];
    await kubectl([...of, 'delete', `${this.runner.kind.plural}.${this.runner.kind.group}`, name, '--timeout=180s']);
    const left = () => this.#podsOf(name).filter(({ isGone }) => !isGone);
    // Without its webhook, spark-operator does not own drivers, so they stay.
    const names = left().map((pod) => pod.name);
    if (names.length > 0) await kubectl([...of, 'delete', 'pod', ...names, '--ignore-not-found', '--wait=false']);
    const isGone = () => left().length === 0;
    if (!(await this.within(180, isGone))) throw new Error(`Pods of ${name} are not gone after 180 s`);
  }

  #podsOf(name: string) {
    return [...this.pods.of(name, 'driver'), ...this.pods.of(name, 'executor')];
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watches;
  }

  #saw(job: LiveObject): void {
    const { name } = job.metadata;
    this.#jobs.set(name, job);
    const outcome = this.runner.outcomeOf(job);
    if (outcome && !this.#endings.has(name)) this.#endings.set(name, { at: performance.now(), outcome });
  }

  /** Watches again when a watch ends, as it does when the definition of the kind changes. */
  async #follow(kind: ObjectKind, tell: (event: Change) => void): Promise<void> {
    const { signal } = this.#stop;
    const known = new Map<string, LiveObject>();
    while (!signal.aborted) {
      await this.#watch(kind, known, tell).catch(async (error: unknown) => {
        if (!signal.aborted && !isApiError(error)) throw error;
        await pause(1000, undefined, { signal }).catch(() => {});
      });
    }
  }

  /** One watch. @param known objects by their UID, those of earlier watches included */
  async #watch(kind: ObjectKind, known: Map<string, LiveObject>, tell: (event: Change) => void): Promise<void> {
    const query = { namespace: this.runner.namespace, timeoutSeconds: 4 * 3600, signal: this.#stop.signal };
    const before = new Map(known);
    for await (const event of (await api()).watch(kind, query)) {
      if (event.type === 'SYNCED') for (const object of before.values()) tell({ type: 'DELETED', object });
      if (!('object' in event)) continue;
      const { uid } = event.object.metadata;
      before.delete(uid);
      if (event.type === 'DELETED') known.delete(uid);
      else known.set(uid, event.object);
      tell(event);
    }
  }
}
