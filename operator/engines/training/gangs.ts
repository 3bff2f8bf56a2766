import {
  type Amounts,
  type CapacityAnswer,
  type Gang,
  type GivingGang,
  gangOrder,
  type OpeningGang,
  type PodNeeds,
  type QueuedGang,
} from '../../controllers/training/ports/capacity.js';

/** A Pod with the labels of a worker of any TrainingJob, which has not ended. */
export interface ListedWorker {
  readonly namespace: string;
  readonly job: string;
  /** UID of the TrainingJob that owns it. Absent for a Pod that only has the labels, such as a copy of a worker. */
  readonly owner?: string | undefined;
  readonly name: string;
  /** RFC 3339. */
  readonly created: string;
  readonly priority: number;
  readonly node?: string | undefined;
  readonly isGated: boolean;
  readonly isEnding: boolean;
  readonly needs: PodNeeds;
}

/** What is read of a TrainingJob. */
export interface ListedJob {
  readonly namespace: string;
  readonly job: string;
  readonly uid: string;
  readonly workers: number;
  readonly spares: number;
  readonly minWorkers: number;
  /** Node label of which all its nodes must have one value. @default - they may differ */
  readonly topologyKey?: string | undefined;
  /** Names of the Pods of the current generation, in the order of their ranks. */
  readonly members: readonly string[];
}

type Gangs = Required<Pick<CapacityAnswer, 'opening' | 'queued' | 'giving'>>;

/**
 * The jobs that are being scheduled, that wait for room, and that could give some. A Pod that no job owns does not count:
 * nobody would give its place up, and all jobs would wait for it.
 */
export function gangsOf(workers: readonly ListedWorker[], jobs: readonly ListedJob[]): Gangs {
  const specs = new Map(jobs.map((one) => [keyOf(one), one]));
  const byJob = new Map<string, ListedWorker[]>();
  for (const one of workers) {
    if (one.isEnding || one.owner === undefined || one.owner !== specs.get(keyOf(one))?.uid) continue;
    const pods = byJob.get(keyOf(one)) ?? [];
    pods.push(one);
    byJob.set(keyOf(one), pods);
  }
  return {
    opening: inOrder([...byJob.values()].flatMap(openingGang)),
    queued: inOrder([...byJob].flatMap(([key, pods]) => queuedGang(pods, specs.get(key)))),
    giving: inOrder([...byJob].flatMap(([key, pods]) => givingGang(pods, specs.get(key)))),
  };
}

function keyOf({ namespace, job }: Pick<ListedJob, 'namespace' | 'job'>): string {
  return `${namespace}/${job}`;
}

function inOrder<G extends Gang>(gangs: readonly G[]): readonly G[] {
  return gangs.toSorted((a, b) => gangOrder(a).localeCompare(gangOrder(b)));
}

/** Without Pods, there is none. */
function gangWith(pods: readonly ListedWorker[]): readonly Gang[] {
  const [first] = pods.toSorted((a, b) => (a.created < b.created ? -1 : 1));
  return first ? [{ namespace: first.namespace, job: first.job, queued: first.created }] : [];
}

function openingGang(pods: readonly ListedWorker[]): readonly OpeningGang[] {
  const unplaced = pods.filter(({ isGated, node }) => !isGated && node === undefined);
  const [gang] = gangWith(unplaced);
  const [first] = unplaced;
  return gang && first ? [{ ...gang, unplaced: unplaced.length, needs: first.needs }] : [];
}

function queuedGang(pods: readonly ListedWorker[], job: ListedJob | undefined): readonly QueuedGang[] {
  const [gang] = gangWith(pods);
  const [first] = pods;
  const isWhole = job !== undefined && pods.length === job.workers + job.spares && pods.every(({ isGated }) => isGated);
  if (!gang || !first || !isWhole) return [];
  const { topologyKey } = job;
  const needs = topologyKey === undefined ? first.needs : { ...first.needs, topologyKey };
  return [{ ...gang, priority: first.priority, workers: pods.length, needs }];
}

function givingGang(pods: readonly ListedWorker[], job: ListedJob | undefined): readonly GivingGang[] {
  const [gang] = gangWith(pods);
  const [first] = pods;
  if (!gang || !first || !job || job.minWorkers >= job.workers || job.members.length === 0) return [];
  const kept = job.members.slice(0, job.minWorkers);
  const gives = pods.flatMap(({ node, name, needs }) =>
    node === undefined || kept.includes(name) ? [] : [{ node, requests: needs.requests as Amounts }],
  );
  return gives.length === 0 ? [] : [{ ...gang, priority: first.priority, gives }];
}
