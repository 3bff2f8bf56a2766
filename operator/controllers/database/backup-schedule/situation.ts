import { type DatabaseBackupResource, type DatabaseResource, databaseBackupKind } from '../../../../imports/index.js';
import { childName, instanceImage, instanceLabel, objectNames } from '../../../../src/index.js';
import { isReady } from '../../../pods/is-ready.js';
import {
  type LiveObject,
  type LivePersistentVolumeClaim,
  type LivePod,
  PersistentVolumeClaim,
  Pod,
} from '../../../runtime/index.js';
import { lastDue } from '../../../schedule/schedule.js';
import { isComplete, staysUp } from '../deletion/departure.js';
import { serialOf } from '../instances/instances.js';
import { dueIn } from './due-names.js';
import { nextVerified } from './verification.js';
import type { BackupScheduleView } from './view.js';

/** Annotation with which a user requests a backup. Each value requests one. */
const askedAnnotation = 'reconstruct.dev/backup';
/** Number of significant characters of its value. */
const longestAsked = 253;

/** The observed backups of a Database. */
export interface Situation {
  readonly resource: DatabaseResource;
  readonly name: string;
  /** Scheduled backups, oldest first. */
  readonly scheduled: readonly DatabaseBackupResource[];
  /** Backups that users requested with the annotation. */
  readonly asked: readonly DatabaseBackupResource[];
  /** The current value of the annotation, and the name of the backup that it requests. */
  readonly wish: { readonly value: string; readonly name: string } | undefined;
  /** Final backups, oldest first: created after the deletion started, in the current archive. */
  readonly snapshots: readonly DatabaseBackupResource[];
  /** The name of the next final backup. */
  readonly nextSnapshot: string;
  /** All backups in the archive, of any origin, in the order of completion. */
  readonly complete: readonly DatabaseBackupResource[];
  /** Image of the Pod that serves the archive. */
  readonly image: string;
  /** Names of the instance Pods. */
  readonly instances: readonly string[];
  /** PersistentVolumes of the instance PVCs. */
  readonly volumes: readonly string[];
  /** No instance has ever existed that could hold data. */
  readonly isEmpty: boolean;
  /** The PVC of the archive is being deleted. */
  readonly isArchiveGoing: boolean;
  /** The PVC of the archive. */
  readonly archive: LivePersistentVolumeClaim | undefined;
  /** PersistentVolume of that PVC. */
  readonly archiveVolume: string | undefined;
  /** The namespace is being deleted, so no object can be created in it. */
  readonly isNamespaceEnding: boolean;
  /** Due time of the backup to create now. Undefined if none is due. */
  readonly due: number | undefined;
  /** The backup to verify now. */
  readonly verified: DatabaseBackupResource | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function situationOf({ resource, owned, siblings, reads: seen, now }: BackupScheduleView): Situation {
  const { backups, isNamespaceEnding = false } = seen;
  const { name } = resource.metadata;
  const own = [...(owned.of(databaseBackupKind) as readonly DatabaseBackupResource[])].sort(byAge);
  // A retained backup is no longer owned, but still protects the data.
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
    archive,
    archiveVolume: archive?.spec?.volumeName,
    isNamespaceEnding,
    due: dueOf(about, archive, known, complete),
    verified: verifiedOf(about, known),
  };
}

/** True if the status shows that an instance has existed. */
function hasBegun({ status }: DatabaseResource): boolean {
  return status?.timeline !== undefined || status?.primary !== undefined;
}

function wishOf({ metadata }: DatabaseResource): Situation['wish'] {
  const value = metadata.annotations?.[askedAnnotation]?.slice(0, longestAsked);
  return value ? { value, name: childName(`${metadata.name}-asked-${value}`) } : undefined;
}

/** Name prefix of the final backups. The UID distinguishes them from those of an earlier Database of the same name. */
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

/** A backup of such a name that a user created before `moment` lacks later writes. */
function isSince(moment: string | undefined, { metadata }: DatabaseBackupResource): boolean {
  return moment !== undefined && (metadata.creationTimestamp ?? '') >= moment;
}

/** A recreated PVC has none of the backups of the previous one. */
function isIn(archive: LiveObject | undefined, { resource }: About, backup: DatabaseBackupResource): boolean {
  // Once the data counts as saved, the archive no longer changes the decision.
  if (!resource.spec.backup?.target.volume || !staysUp(resource)) return true;
  return archive !== undefined && isSince(archive.metadata.creationTimestamp, backup);
}

function isInstance(labels: LiveObject['metadata']['labels']): boolean {
  return labels?.[instanceLabel] !== undefined;
}

type About = Pick<Situation, 'resource' | 'now'>;

/**
 * The archive Pod gets a new image only once an instance is ready with it, so a missing image cannot stop archiving.
 */
function imageOf({ metadata, spec }: DatabaseResource, own: readonly LivePod[], instances: readonly LivePod[]): string {
  const wanted = instanceImage(spec);
  const repository = own.find(({ metadata: { name } }) => name === objectNames(metadata.name).repository);
  const [container] = repository?.spec?.containers ?? [];
  const runs = (pod: LivePod) => isReady(pod) && pod.spec.containers.some(({ image }) => image === wanted);
  const isTried = instances.length === 0 || instances.some(runs);
  return container === undefined || isTried ? wanted : container.image;
}

/**
 * The first backup of an archive is due as soon as a primary exists, because the log is useless without a base backup.
 * A requested backup counts as the first one too.
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
