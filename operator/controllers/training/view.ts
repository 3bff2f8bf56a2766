import type { TrainingJobResource } from '../../../imports/index.js';
import { trainingRevision } from '../../../src/index.js';
import { type Answers, type Facts, pollFailureOf } from '../../runtime/index.js';
import type { StableView } from './declarations.js';
import { memoryOf, workersOf } from './observed.js';
import type { Situation } from './plan/index.js';
import type { polls } from './polls.js';

/** The input of `desire` and `assess`. */
export interface TrainingView extends StableView, Pick<Facts<TrainingJobResource>, 'now'> {
  readonly polled: Answers<ReturnType<typeof polls>>;
}

/** The observed and desired state of a TrainingJob. */
export function situationOf(view: TrainingView): Situation {
  const { resource, polled, now } = view;
  const { metadata, spec } = resource;
  const { name, namespace = '', uid } = metadata;
  const room = polled.capacity;
  return {
    ...{ name, namespace, spec, now: now.getTime() },
    revision: trainingRevision({ name, namespace, uid, spec }),
    workers: workersOf(view),
    memory: memoryOf(resource),
    report: polled.coordinator?.known ? polled.coordinator.value : undefined,
    room: room?.known ? room.value : undefined,
    logs: polled.logs?.known ? polled.logs.value : undefined,
    roomUnknownSince: room && !room.known && pollFailureOf(room) !== undefined ? room.since : undefined,
  };
}
