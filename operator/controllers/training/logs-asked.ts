import { trainingContainer, trainingRevision } from '../../../src/index.js';
import { type PollRequest, timestampOf } from '../../runtime/index.js';
import type { StableView } from './declarations.js';
import { memoryOf, workersOf } from './observed.js';
import { currentIn, isInPlace, placesIn, type Worker } from './plan/index.js';
import type { FollowedPod, LogQuestion } from './ports/logs.js';

/** Milliseconds between two questions. */
const interval = 2_000;

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
