import { coordinatorResources, workerResources } from '../../../../src/index.js';
import { currentIn, isInPlace, type ObservedJob, placesIn } from '../job/job.js';
import type { Memory } from '../job/memory.js';
import { type Quota, type QuotaPods, shortageIn } from '../room/quotas.js';
import { numericAmounts } from './demand.js';

/** The ResourceQuotas of the namespace, and what a job has under them. */
export interface QuotaState {
  readonly quotas: readonly Quota[];
  /** Whether the Pod of the coordinator exists, so that the quotas count it already. */
  readonly hasCoordinator: boolean;
  /** Whether the API server has refused a Pod of the job because of a quota. */
  readonly isRefused: boolean;
  /** Whether an older job of the namespace waits too. */
  readonly hasElder: boolean;
}

/** A job under the ResourceQuotas of its namespace. */
export interface QuotaJob extends ObservedJob {
  /** @default - there are none, or the operator may not read them */
  readonly quota?: QuotaState | undefined;
}

/** Milliseconds without Pods after they were given back. Another job gets its Pods meanwhile. */
const pause = 60_000;
/** Milliseconds for the oldest job to get all of its Pods, while younger ones give theirs back. */
const eldestWithin = 120_000;

/** Why so many more Pods must not be created, as a part of a sentence. Undefined if they may be. */
export function quotaObstacle(job: QuotaJob, count: number): string | undefined {
  if (count === 0) return undefined;
  return shortageOf(job, count) ?? pauseIn(job);
}

/**
 * The number of Pods that may be created of those that are missing: all or none, because a part would only take the room of
 * other jobs. A job that trains, or has trained in this start, can use each of them.
 */
export function allowedPods(job: QuotaJob, missing: number): number {
  if (quotaObstacle(job, missing) === undefined) return missing;
  if (!hasTrained(job)) return 0;
  const counts = Array.from({ length: missing }, (_, less) => missing - less);
  return counts.find((count) => quotaObstacle(job, count) === undefined) ?? 0;
}

function hasTrained({ memory }: QuotaJob): boolean {
  return memory.members.length > 0;
}

function shortageOf(job: QuotaJob, count: number): string | undefined {
  const { quota, spec } = job;
  if (!quota || quota.quotas.length === 0) return undefined;
  const { priorityClassName: priorityClass } = spec.podTemplate ?? {};
  const workers: QuotaPods = { count, ...amountsOf(workerResources(spec)), priorityClass };
  const needsCoordinator = isInPlace(job) && !quota.hasCoordinator;
  const coordinator = needsCoordinator ? [{ count: 1, ...amountsOf(coordinatorResources()) }] : [];
  return shortageIn(quota.quotas, [workers, ...coordinator]);
}

type Texts = Readonly<Record<string, string>>;

function amountsOf({ requests, limits }: { readonly requests: Texts; readonly limits: Texts }) {
  return { requests: numericAmounts(requests), limits: numericAmounts(limits) };
}

function pauseIn({ memory, now }: Pick<QuotaJob, 'memory' | 'now'>): string | undefined {
  return isPaused(memory, now)
    ? 'a ResourceQuota refused a part of the Pods, so all were given back, and are created again in a minute'
    : undefined;
}

/** True while a job that has given its Pods back creates none. */
export function isPaused({ refusedTime }: Pick<Memory, 'refusedTime'>, now: number): boolean {
  return refusedTime !== undefined && now < refusedTime + pause;
}

/**
 * True if the job must give its Pods back, because a quota does not allow all of them, and a part of them is of no use: at
 * once if an older job waits too, else when it has got no further for some time.
 */
export function mustYield(job: QuotaJob): boolean {
  const { now, quota } = job;
  if (!isCutShort(job)) return false;
  return quota?.hasElder === true || now >= yieldsAt(job);
}

/** True if Pods are missing that a quota does not allow, and no generation can begin without them. */
function isCutShort(job: QuotaJob): boolean {
  const { memory, spec, quota } = job;
  if (!quota || spec.suspend || hasTrained(job) || isPaused(memory, job.now)) return false;
  const current = currentIn(job);
  if (!isInPlace(job) && current.some(({ isGated }) => !isGated)) return false;
  const missing = placesIn(job) - current.length;
  return quota.isRefused || (current.length > 0 && missing > 0 && shortageOf(job, missing) !== undefined);
}

/** When a job gives its Pods back that is cut short and has no elder, in milliseconds since 1970. */
function yieldsAt(job: QuotaJob): number {
  const created = currentIn(job).map((one) => Date.parse(one.created));
  return Math.max(0, ...created) + eldestWithin;
}

/** The times at which Pods are given back to a quota, or created again. */
export function quotaTimes(job: QuotaJob): readonly number[] {
  const { refusedTime } = job.memory;
  return [...(refusedTime === undefined ? [] : [refusedTime + pause]), ...(isCutShort(job) ? [yieldsAt(job)] : [])];
}
