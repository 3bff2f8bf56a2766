import type { TrainingJobResource } from '../../../imports/index.js';
import { trainingCoordinatorHost, trainingObjectNames, trainingPorts } from '../../../src/index.js';
import { type DrawQuestion, draw } from '../../passwords/draw.js';
import { Deployment, Pod, type PollBuilder, type PollRequest, Secret } from '../../runtime/index.js';
import type { owns, Reads, StableView } from './declarations.js';
import { logsAsked } from './logs-asked.js';
import { capacity } from './ports/capacity.js';
import { type CoordinatorAddress, coordinator } from './ports/coordinator.js';
import { logs } from './ports/logs.js';

/** The external sources that a TrainingJob polls. */
export const polls = (ask: PollBuilder<TrainingJobResource, (typeof owns)[number], Reads>) => ({
  drawn: ask(draw, drawAsked),
  coordinator: ask(coordinator, coordinatorAsked),
  capacity: ask(capacity, capacityAsked),
  logs: ask(logs, logsAsked),
});

/** The token of the coordinator. Undefined while there is none. */
export function tokenIn({ resource, owned }: Pick<StableView, 'resource' | 'owned'>): string | undefined {
  const { token } = trainingObjectNames(resource.metadata.name);
  const secret = owned.of(Secret).find(({ metadata }) => metadata.name === token);
  const encoded = secret?.data?.['token'];
  return encoded === undefined || encoded === '' ? undefined : Buffer.from(encoded, 'base64').toString();
}

function drawAsked(view: StableView): PollRequest<DrawQuestion> | undefined {
  const { metadata, spec } = view.resource;
  const isNeeded = spec.recovery === 'InPlace' && metadata.deletionTimestamp === undefined;
  if (!isNeeded || tokenIn(view) !== undefined) return undefined;
  const replaces = `${metadata.namespace}/${metadata.name} ${metadata.uid}`;
  return { question: { replaces, length: 32, charset: 'Alphanumeric', keys: ['token'] }, interval: 3_600_000 };
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
