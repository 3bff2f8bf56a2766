import { type DatabaseBackupResource, type DatabaseResource, databaseBackupKind } from '../../../../imports/index.js';
import { childName, instanceImage, instanceLabel, objectNames } from '../../../../src/index.js';
import {
  ConfigMap,
  type Facts,
  type LiveObject,
  type LivePod,
  Namespace,
  optional,
  PersistentVolumeClaim,
  Pod,
  type Read,
  type Refer,
  withoutOwnerReference,
} from '../../../runtime/index.js';
import { lastDue } from '../../schedule.js';
import { isComplete, staysUp } from '../deletion/departure.js';
import { serialOf } from '../instances/instances.js';
import { dueIn } from './due-names.js';
import { nextVerified } from './verification.js';

/** Annotation of a Database by which a person asks for a backup: one for each value. */
const askedAnnotation = 'reconstruct.dev/backup';
/** Characters of it that count. */
const longestAsked = 253;

/** What backups take. The collector must not have any of it before the last one is made. */
export const owns = [
  withoutOwnerReference(ConfigMap),
  withoutOwnerReference(PersistentVolumeClaim),
  withoutOwnerReference(Pod),
  withoutOwnerReference(databaseBackupKind),
] as const;

/** What runs the instances makes, and the backups look at. */
export const watchesSiblings = [Pod, PersistentVolumeClaim] as const;

/** What it looks at besides. */
export const reads = ({ matchingLabels, named }: Refer<DatabaseResource>) => ({
  /** All of the namespace: people make some too. */
  backups: matchingLabels(databaseBackupKind, () => ({ labels: {} })),
  /** Whether its namespace is being deleted. An operator that is limited to some namespaces may not see that. */
  isNamespaceEnding: named(optional(Namespace), ({ metadata }) => metadata.namespace, isBeingDeleted),
});

const isBeingDeleted = ({ metadata }: LiveObject): boolean => metadata.deletionTimestamp !== undefined;

/** What `reads` finds. */
export type Looks = {
  readonly backups: Read<readonly DatabaseBackupResource[]>;
  readonly isNamespaceEnding: Read<boolean | undefined>;
};

/** What is known of the backups of a Database. */
export type BackupsFacts = Pick<
  Facts<DatabaseResource, (typeof owns)[number], Looks, Record<never, never>, (typeof watchesSiblings)[number]>,
  'resource' | 'owned' | 'siblings' | 'reads' | 'now'
>;

/** What there is of the backups of a Database at a moment. */
export interface Situation {
  readonly resource: DatabaseResource;
  readonly name: string;
  /** Those that the schedule made, the oldest first. */
  readonly scheduled: readonly DatabaseBackupResource[];
  /** Those that somebody asked for by the annotation. */
  readonly asked: readonly DatabaseBackupResource[];
  /** What the annotation asks for at present, and the name of the backup that is made for it. */
  readonly wish: { readonly value: string; readonly name: string } | undefined;
  /** The last ones of a Database that is being deleted, the oldest first: begun since, in the archive as it is now. */
  readonly snapshots: readonly DatabaseBackupResource[];
  /** The name of the next one. */
  readonly nextSnapshot: string;
  /** All that are in the archive, whoever wanted them, the one that was finished first first. */
  readonly complete: readonly DatabaseBackupResource[];
  /** Of the Pod that serves the archive. */
  readonly image: string;
  /** The names of the Pods that have data. */
  readonly instances: readonly string[];
  /** The PersistentVolumes of the claims that have data. */
  readonly volumes: readonly string[];
  /** Nothing of it has ever been there that could have data. */
  readonly isEmpty: boolean;
  /** The claim that has its archive is being deleted. */
  readonly isArchiveGoing: boolean;
  /** The PersistentVolume of that claim. */
  readonly archiveVolume: string | undefined;
  /** Nothing can be made in its namespace any more. */
  readonly isNamespaceEnding: boolean;
  /** When the backup is due that is to be made now; undefined where none is. */
  readonly due: number | undefined;
  /** The backup that is to be verified now. */
  readonly verified: DatabaseBackupResource | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function situationOf({ resource, owned, siblings, reads: seen, now }: BackupsFacts): Situation {
  const { backups, isNamespaceEnding = false } = seen;
  const { name } = resource.metadata;
  const own = [...(owned.of(databaseBackupKind) as readonly DatabaseBackupResource[])].sort(byAge);
  // One that was left is ours no more, and saves the data as it did.
  const left = backups.filter(({ metadata }) => !own.some((one) => one.metadata.name === metadata.name));
  const scheduled = own.filter(({ spec }) => spec.origin === 'Schedule');
  const about = { resource, now: now.getTime() };
  const claims = siblings.of(PersistentVolumeClaim).filter(({ metadata }) => isInstance(metadata.labels));
  const instances = siblings.of(Pod).flatMap(({ metadata }) => (isInstance(metadata.labels) ? [metadata.name] : []));
  const { repository } = objectNames(name);
  const archive = owned.of(PersistentVolumeClaim).find(({ metadata }) => metadata.name === repository);
  const isKept = (backup: DatabaseBackupResource) => isIn(archive, about, backup);
  const complete = backups
    .filter(({ spec }) => spec.database === name)
    .filter((backup) => isComplete(backup) && isKept(backup))
    .sort(byEnd);
  const known = scheduled.filter(isKept);
  const finals = [...own, ...left].filter((backup) => isFinalOf(resource, backup)).sort(byAge);
  return {
    ...{ ...about, name, scheduled, complete, wish: wishOf(resource) },
    asked: own.filter(({ spec }) => spec.origin === 'Manual'),
    snapshots: finals.filter((backup) => isSince(resource.metadata.deletionTimestamp, backup) && isKept(backup)),
    nextSnapshot: nextOf(finals, finalsOf(resource)),
    image: imageOf(resource, owned.of(Pod) as readonly LivePod[], siblings.of(Pod)),
    instances,
    volumes: claims.flatMap(({ spec }) => spec?.volumeName ?? []),
    isEmpty: !hasBegun(resource) && instances.length === 0 && claims.length === 0,
    isArchiveGoing: archive?.metadata.deletionTimestamp !== undefined,
    archiveVolume: archive?.spec?.volumeName,
    isNamespaceEnding,
    due: dueOf(about, archive, known, complete),
    verified: verifiedOf(about, known),
  };
}

/** Somebody was heard of, or seen, who had data. */
function hasBegun({ status }: DatabaseResource): boolean {
  return status?.timeline !== undefined || status?.primary !== undefined;
}

function wishOf({ metadata }: DatabaseResource): Situation['wish'] {
  const value = metadata.annotations?.[askedAnnotation]?.slice(0, longestAsked);
  return value ? { value, name: childName(`${metadata.name}-asked-${value}`) } : undefined;
}

/** What the last backups of a Database are called, before their numbers: those of one of the same name before it are others. */
function finalsOf({ metadata }: DatabaseResource): string {
  return `${metadata.name}-final-${metadata.uid.slice(0, 8)}`;
}

function nextOf(finals: readonly DatabaseBackupResource[], called: string): string {
  const serials = finals.map(({ metadata }) => serialOf(metadata.name, called) ?? 0);
  return `${called}-${1 + Math.max(0, ...serials)}`;
}

function isFinalOf(resource: DatabaseResource, { metadata, spec }: DatabaseBackupResource): boolean {
  return spec.origin === 'Snapshot' && metadata.name.startsWith(`${finalsOf(resource)}-`);
}

/** Anybody may make one of such a name beforehand, which lacks what was written since. */
function isSince(moment: string | undefined, { metadata }: DatabaseBackupResource): boolean {
  return moment !== undefined && (metadata.creationTimestamp ?? '') >= moment;
}

/** A claim that was made anew has none of what the one before it had. */
function isIn(archive: LiveObject | undefined, { resource }: About, backup: DatabaseBackupResource): boolean {
  // What was found to be saved is left, and its claim with it.
  if (!resource.spec.backup?.target.volume || !staysUp(resource)) return true;
  return archive !== undefined && isSince(archive.metadata.creationTimestamp, backup);
}

function isInstance(labels: LiveObject['metadata']['labels']): boolean {
  return labels?.[instanceLabel] !== undefined;
}

type About = Pick<Situation, 'resource' | 'now'>;

/** Archiving does not wait for an image that may not be there: its Pod gets another one when an instance is ready with it. */
function imageOf({ metadata, spec }: DatabaseResource, own: readonly LivePod[], instances: readonly LivePod[]): string {
  const wanted = instanceImage(spec);
  const repository = own.find(({ metadata: { name } }) => name === objectNames(metadata.name).repository);
  const [container] = repository?.spec?.containers ?? [];
  const runs = (pod: LivePod) => isReady(pod) && pod.spec.containers.some(({ image }) => image === wanted);
  const isTried = instances.length === 0 || instances.some(runs);
  return container === undefined || isTried ? wanted : container.image;
}

function isReady({ status }: LivePod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/**
 * The first one of an archive is due as soon as there is a primary: without it the log since is of no use. One that somebody
 * asked for serves as well, so it is not made again when it is deleted.
 */
function dueOf(
  { resource, now }: About,
  archive: LiveObject | undefined,
  scheduled: readonly DatabaseBackupResource[],
  complete: readonly DatabaseBackupResource[],
): number | undefined {
  const { metadata, spec, status } = resource;
  if (!spec.backup || metadata.deletionTimestamp || status?.primary === undefined) return undefined;
  const place = spec.backup.target.volume ? archive : resource;
  if (!place) return undefined;
  const born = Math.max(...[metadata, place.metadata].map((of) => Date.parse(of.creationTimestamp ?? '')));
  const newest = scheduled.map((backup) => dueIn(backup.metadata.name) ?? born).at(-1);
  if (newest === undefined) {
    const base = complete.findLast(({ metadata: { creationTimestamp = '' } }) => Date.parse(creationTimestamp) >= born);
    const since = Date.parse(base?.status?.finished ?? '') || born;
    return lastDue(spec.backup.schedule, { since, now }) ?? (base ? undefined : born);
  }
  const isUnderWay = scheduled.some(({ status: is }) => is?.label === undefined && is?.state !== 'Failed');
  return isUnderWay ? undefined : lastDue(spec.backup.schedule, { since: newest, now });
}

function verifiedOf({ resource, now }: About, scheduled: readonly DatabaseBackupResource[]) {
  const { backup } = resource.spec;
  return backup && nextVerified(scheduled.filter(isComplete), backup.verify, now);
}

function byAge(a: DatabaseBackupResource, b: DatabaseBackupResource): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

function byEnd(a: DatabaseBackupResource, b: DatabaseBackupResource): number {
  return (a.status?.finished ?? '') < (b.status?.finished ?? '') ? -1 : 1;
}
