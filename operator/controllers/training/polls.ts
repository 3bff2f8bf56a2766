import type { TrainingJobResource } from '../../../imports/index.js';
import {
  trainingContainer,
  trainingCoordinatorHost,
  trainingObjectNames,
  trainingPorts,
  trainingRevision,
} from '../../../src/index.js';
import { type DrawQuestion, draw } from '../../passwords/draw.js';
import { drawnOnce, storedText } from '../../passwords/stored-text.js';
import { Deployment, Pod, type PollBuilder, type PollRequest, Secret, timestampOf } from '../../runtime/index.js';
import type { owns, reads } from './declarations.js';
import { currentIn, isInPlace, placesIn } from './job/job.js';
import { memoryOf } from './job/memory.js';
import { capacity } from './ports/capacity.js';
import { type CoordinatorAddress, coordinator } from './ports/coordinator.js';
import { type FollowedPod, type LogQuestion, logs } from './ports/logs.js';
import { type StableView, workersOf } from './view.js';
import type { Worker } from './workers/worker.js';

/** The external sources that a TrainingJob polls. */
export const polls = (ask: PollBuilder<TrainingJobResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  drawn: ask(draw, drawAsked),
  coordinator: ask(coordinator, coordinatorAsked),
  capacity: ask(capacity, capacityAsked),
  logs: ask(logs, logsAsked),
});

/** The token of the coordinator. Undefined while there is none. */
export function tokenIn({ resource, owned }: Pick<StableView, 'resource' | 'owned'>): string | undefined {
  const { token: name } = trainingObjectNames(resource.metadata.name);
  return storedText(owned.of(Secret), { name, key: 'token' });
}

function drawAsked(view: StableView): PollRequest<DrawQuestion> | undefined {
  const { metadata, spec } = view.resource;
  const isNeeded = spec.recovery === 'InPlace' && metadata.deletionTimestamp === undefined;
  if (!isNeeded || tokenIn(view) !== undefined) return undefined;
  return drawnOnce(view.resource, { key: 'token', length: 32 });
}

/**
 * Milliseconds between two questions. The coordinator holds each so long, and answers at once when something happens. The
 * loss and the step do not count as such: the status has those of the last answer.
 */
const interval = 2_000;

/** How the operator reaches the coordinator. */
export function addressOf({ metadata: { name, namespace = '' } }: TrainingJobResource): CoordinatorAddress {
  return { host: trainingCoordinatorHost({ name, namespace }), port: trainingPorts.coordinator };
}

/** True once the coordinator answers its readiness probe, or processes may talk to it. */
function isUp({ owned }: StableView): boolean {
  const deployments = owned.of(Deployment);
  return deployments.some(({ status }) => (status?.readyReplicas ?? 0) > 0) || owned.of(Pod).some(isRunning);
}

function isRunning({ status }: { readonly status?: { readonly phase?: string } }): boolean {
  return status?.phase === 'Running';
}

function coordinatorAsked(view: StableView): PollRequest<CoordinatorAddress> | undefined {
  const { metadata, spec, status } = view.resource;
  const hasEnded = status?.completionTime !== undefined || metadata.deletionTimestamp !== undefined;
  if (hasEnded || spec.recovery !== 'InPlace' || tokenIn(view) === undefined || !isUp(view)) return undefined;
  const { token } = trainingObjectNames(metadata.name);
  return { question: addressOf(view.resource), interval, hold: interval, secret: token };
}

/** Milliseconds between two questions of a job that could make room for another one. */
const seldom = 10_000;

/** Asked only while workers wait for a node, or could be given up for another job: it reads all Pods of the cluster. */
function capacityAsked({ resource, owned }: StableView): PollRequest<Record<string, never>> | undefined {
  const { metadata, spec, status } = resource;
  if (status?.completionTime !== undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const isWaiting = owned
    .of(Pod)
    .some(({ spec, status: its }) => spec?.nodeName === undefined && its?.phase !== 'Failed');
  const { workers, minWorkers = workers } = spec;
  const couldGive = minWorkers < workers && owned.of(Pod).length > minWorkers && status?.startTime !== undefined;
  if (!isWaiting && !couldGive) return undefined;
  return { question: {}, interval: isWaiting ? interval : seldom, timeout: 20_000 };
}

/** Asked while all Pods of the generation run: a job that starts, recovers or finishes writes other lines, or none. */
export function logsAsked(view: StableView): PollRequest<LogQuestion> | undefined {
  const { metadata, spec, status } = view.resource;
  const { name, namespace = '', uid } = metadata;
  const { logRules: rules } = spec.health;
  const hasEnded = status?.completionTime !== undefined || metadata.deletionTimestamp !== undefined;
  if (rules.length === 0 || hasEnded || spec.suspend) return undefined;
  const memory = memoryOf(view.resource);
  const revision = trainingRevision({ name, namespace, uid, spec });
  const current = currentIn({ spec, workers: workersOf(view), memory, revision });
  const wanted = isInPlace({ spec })
    ? memory.members.flatMap((member) => current.find((one) => one.uid === member.uid) ?? [])
    : current;
  const isWhole = wanted.length === (isInPlace({ spec }) ? memory.members.length : placesIn({ spec }));
  if (!isWhole || wanted.length === 0 || wanted.some(({ phase }) => phase !== 'Running')) return undefined;
  const pods = wanted.map((worker) => followed(worker, isInPlace({ spec }) ? memory.generationTime : undefined));
  const { generation } = memory;
  return { question: { namespace, job: name, generation, container: trainingContainer, pods, rules }, interval };
}

/** A generation that began later than the program has a start of its own. */
function followed({ name, uid, started, created }: Worker, generationTime: number | undefined): FollowedPod {
  const start = started ?? created;
  const isLater = generationTime !== undefined && !(Date.parse(start) > generationTime);
  return { name, uid, since: isLater ? timestampOf(generationTime) : start };
}
