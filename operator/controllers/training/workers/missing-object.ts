import type { TrainingJobResource } from '../../../../imports/index.js';
import { claimNames, type NeededObject, neededConfigMaps, neededSecrets } from './needed-objects.js';

/** A PersistentVolumeClaim, ConfigMap or Secret that Pods need and that is not there, or lacks a key. */
export interface MissingObject {
  readonly kind: 'PersistentVolumeClaim' | 'ConfigMap' | 'Secret';
  /** What is missing, as a part of a sentence. */
  readonly obstacle: string;
  /** Whether only the Pod with the index 0 needs it. */
  readonly isOfFirst: boolean;
}

/** A job, and which of the objects exist that its Pods need, in the order of the spec. Undefined for an object that does not. */
interface Needing {
  readonly resource: Pick<TrainingJobResource, 'spec'>;
  readonly reads: {
    /** Whether all workers can mount the volume of the checkpoints. */
    readonly isShared?: boolean | undefined;
    readonly claims: readonly ({ readonly isEnding: boolean } | undefined)[];
    /** Their keys. */
    readonly configMaps: readonly (readonly string[] | undefined)[];
    /** Their keys. */
    readonly secrets: readonly (readonly string[] | undefined)[];
  };
}

/** What all Pods need comes first: without it, none starts. */
export function missingObjectIn(job: Needing): MissingObject | undefined {
  const claim = missingClaimIn(job);
  if (claim && !claim.isOfFirst) return claim;
  const { resource, reads } = job;
  return (
    lackingIn('ConfigMap', neededConfigMaps(resource.spec), reads.configMaps) ??
    lackingIn('Secret', neededSecrets(resource.spec), reads.secrets) ??
    claim
  );
}

/** A claim of the checkpoints that exists can be one that only the first Pod mounts. */
function missingClaimIn({ resource: { spec }, reads }: Needing): MissingObject | undefined {
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
