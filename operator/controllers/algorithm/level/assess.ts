import type { AlgorithmResource, AlgorithmStatusScaling, AlgorithmStatusSla } from '../../../../imports/index.js';
import {
  type Assessment,
  conditionOf,
  Deployment,
  type Mark,
  reportOnly,
  timestampOf,
} from '../../../runtime/index.js';
import { percentileOf, totalOf } from '../judgement/index.js';
import { increaseSince, type PolledMetrics } from '../request-metrics/polled-metrics.js';
import { budgetAfter, writtenEvery } from './budget.js';
import type { conditions } from './conditions.js';
import { floorAfter } from './floor.js';
import { hasLatencyTarget, isLevelled, type LevelView } from './view.js';

type Vocabulary = typeof conditions;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;
type Found = Assessment<AlgorithmResource, Vocabulary, 'sla' | 'scaling'>;

/** Reports whether the stable version meets its service level, and how many replicas its latency requires. */
export function assess(view: LevelView): Found {
  if (!isLevelled(view.resource)) return { conditions: reportOnly({}) };
  const sla = slaMetOf(view);
  const latency = latencyMetOf(view);
  return {
    conditions: { SlaMet: sla?.mark, LatencyMet: latency?.mark },
    status: { ...(sla?.status && { sla: sla.status }), ...(latency?.status && { scaling: latency.status }) },
  };
}

function isUnknown({ polled: { numbers } }: LevelView): boolean {
  return numbers?.known !== true && (numbers?.earlier.length ?? 0) === 0;
}

function slaMetOf(view: LevelView): { mark: Reason<'SlaMet'>; status: AlgorithmStatusSla | undefined } | undefined {
  const { resource, polled } = view;
  const { sla } = resource.spec;
  if (!sla) return undefined;
  const before = resource.status?.sla;
  if (isUnknown(view)) return { mark: { reason: 'MetricsUnavailable', ...withCause(polled.numbers) }, status: before };
  const increase = increaseSince(polled.numbers, 'stable', before?.countedUntil ?? 0);
  const { now } = view;
  const facts = { now: now.getTime(), at: timestampOf(now) };
  const { isMet, ...after } = budgetAfter(before, sla, { ...facts, increase });
  const isReported = wasMet(resource) === isMet && before !== undefined;
  const isRecent = (after.countedUntil ?? 0) - (before?.countedUntil ?? 0) < writtenEvery;
  const status = isReported && isRecent ? before : after;
  return { mark: slaMark(isMet, status, sla), status };
}

function wasMet(resource: AlgorithmResource): boolean | undefined {
  const reported = conditionOf<Vocabulary>(resource, 'SlaMet')?.status;
  return reported === 'True' ? true : reported === 'False' ? false : undefined;
}

function slaMark(
  isMet: boolean | undefined,
  { requests, failed, burnRate }: AlgorithmStatusSla,
  { availability, window }: NonNullable<AlgorithmResource['spec']['sla']>,
): Reason<'SlaMet'> {
  if (isMet === undefined) return { reason: 'InsufficientData' };
  const counted = `${failed} of ${requests} requests in ${window} failed`;
  const asked = `the objective is ${Number((availability * 100).toFixed(4))}% availability`;
  const message = `${counted}; ${asked}, and the burn rate of the error budget is ${burnRate ?? 0}`;
  return { reason: isMet ? 'Met' : 'Breached', message };
}

/** Minimum number of requests in the last minute for a percentile. */
const fewest = 20;
/** Milliseconds. */
const minute = 60_000;

function latencyMetOf(view: LevelView): { mark: Reason<'LatencyMet'>; status?: AlgorithmStatusScaling } | undefined {
  const { resource, siblings, polled } = view;
  const { scaling, lifecycle } = resource.spec;
  if (!scaling || !hasLatencyTarget(resource)) return undefined;
  const before = resource.status?.scaling;
  const kept = before && { status: before };
  if (isUnknown(view)) return { mark: { reason: 'MetricsUnavailable', ...withCause(polled.numbers) }, ...kept };
  const { now } = view;
  const histogram = increaseSince(polled.numbers, 'stable', now.getTime() - minute)?.sample.latency;
  const percentile = lifecycle?.latency?.percentile ?? 95;
  const found = histogram && totalOf(histogram) >= fewest ? percentileOf(histogram, percentile) : undefined;
  const latencyMs = found && found.estimate * 1000;
  const replicas = siblings.one(Deployment)?.spec.replicas ?? 1;
  const minReplicas = floorAfter(before, scaling, { latencyMs, replicas, now: now.getTime() });
  const isMoved = minReplicas !== (before?.minReplicas ?? scaling.minReplicas);
  const status = isMoved ? { minReplicas, since: timestampOf(now) } : before;
  const target = `Percentile ${percentile} of the last minute is above the target of ${scaling.targetLatencyMs} ms`;
  const mark = latencyMark(latencyMs, scaling, { minReplicas, target });
  return { mark, ...(status && { status }) };
}

function latencyMark(
  latencyMs: number | undefined,
  { targetLatencyMs = 0, maxReplicas }: { readonly targetLatencyMs?: number; readonly maxReplicas: number },
  { minReplicas, target }: { minReplicas: number; target: string },
): Reason<'LatencyMet'> {
  if (latencyMs === undefined) return { reason: 'InsufficientData' };
  if (latencyMs <= targetLatencyMs) return { reason: 'Met' };
  if (minReplicas >= maxReplicas) return { reason: 'MaxReplicasReached' };
  return { reason: 'TargetExceeded', message: `${target}; the minimum number of replicas is now ${minReplicas}` };
}

function withCause(numbers: PolledMetrics): { message?: string } {
  return numbers && !numbers.known
    ? { message: `No source reports metrics of the stable version: ${numbers.why}` }
    : {};
}
