import type { TrainingJobResource } from '../../../imports/index.js';
import { trainingRevision } from '../../../src/index.js';
import { type Answers, type Facts, pollFailureOf } from '../../runtime/index.js';
import { claimNames, type StableView } from './declarations.js';
import { type NeededObject, neededConfigMaps, neededSecrets } from './needed-objects.js';
import { memoryOf, workersOf } from './observed.js';
import type { MissingObject, Situation } from './plan/index.js';
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
    sharesVolume: view.reads.isShared,
    missingObject: missingObjectIn(view),
    wasTraining: resource.status?.phase === 'Running',
    roomUnknownSince: room && !room.known && pollFailureOf(room) !== undefined ? room.since : undefined,
  };
}

/** What all Pods need comes first: without it, none starts. */
function missingObjectIn(view: TrainingView): MissingObject | undefined {
  const claim = missingClaimIn(view);
  if (claim && !claim.isOfFirst) return claim;
  const { resource, reads } = view;
  return (
    lackingIn('ConfigMap', neededConfigMaps(resource.spec), reads.configMaps) ??
    lackingIn('Secret', neededSecrets(resource.spec), reads.secrets) ??
    claim
  );
}

/** A claim of the checkpoints that exists can be one that only the first Pod mounts. */
function missingClaimIn({ resource: { spec }, reads }: TrainingView): MissingObject | undefined {
  const kind = 'PersistentVolumeClaim';
  const found = claimNames(spec).map((name, index) => ({ name, claim: reads.claims[index] }));
  const missing = found.find(({ claim }) => claim === undefined);
  if (missing) return { kind, obstacle: `${kind} ${missing.name} not found`, isOfFirst: false };
  const isOfAll = (name: string) => name !== spec.checkpoint?.claimName || reads.isShared === true;
  const ending = found.filter(({ claim }) => claim?.isEnding);
  const worst = ending.find(({ name }) => isOfAll(name)) ?? ending[0];
  return worst && { kind, obstacle: `${kind} ${worst.name} is being deleted`, isOfFirst: !isOfAll(worst.name) };
}

/** The first object that is not there, or has not all the keys. @param found the keys of each, in the same order */
function lackingIn(
  kind: MissingObject['kind'],
  needed: readonly NeededObject[],
  found: readonly (readonly string[] | undefined)[],
): MissingObject | undefined {
  const obstacles = needed.flatMap(({ name, keys }, index) => {
    const there = found[index];
    if (!there) return [`${kind} ${name} not found`];
    return keys.filter((key) => !there.includes(key)).map((key) => `${kind} ${name} has no key ${key}`);
  });
  const [obstacle] = obstacles;
  return obstacle === undefined ? undefined : { kind, obstacle, isOfFirst: false };
}
