import type { Construct } from 'constructs';
import type { DatabaseBackupResource } from '../../../../imports/index.js';
import { DatabaseRepository, KubeObject, podSelector } from '../../../../src/index.js';
import { applyClaimPolicy } from '../../../members/index.js';
import { requestFor } from '../../../pods/claim-sizes.js';
import { allowRecreation, allowRejection } from '../../../runtime/index.js';
import { staysUp } from '../deletion/departure.js';
import { rejectionRemedy } from '../volumes/volume-sizes.js';
import { dueText } from './due-names.js';
import { type Situation, situationOf } from './situation.js';
import type { BackupScheduleView } from './view.js';

/** Annotation that requests the verification of a DatabaseBackup in a temporary instance. */
const verifyAnnotation = 'reconstruct.dev/verify';
/** Number of failed backups that are kept for inspection. */
const keptFailures = 3;

/** Renders the archive and the desired DatabaseBackups. */
export function desire(scope: Construct, facts: BackupScheduleView): void {
  const situation = situationOf(facts);
  const { resource, instances } = situation;
  if (!resource.spec.backup) return;
  if (resource.metadata.deletionTimestamp) {
    if (staysUp(resource)) addSnapshots(scope, situation);
    // Instances push the end of their log as they stop.
    if (staysUp(resource) || instances.length > 0) addRepository(scope, situation);
    return;
  }
  addRepository(scope, situation);
  const { scheduled, asked, verified } = situation;
  const kept = [...keptOf(scheduled), ...keptOf(asked)].map((backup) => wantedOf(backup, backup === verified));
  for (const backup of [...kept, ...newlyAsked(situation)]) addBackup(scope, situation, backup);
  if (situation.due !== undefined) {
    const name = `${situation.name}-${dueText(situation.due)}`;
    addBackup(scope, situation, { name, origin: 'Schedule', isVerified: false });
  }
}

function addRepository(scope: Construct, { resource, name, image, instances, archive }: Situation): void {
  const { spec, metadata } = resource;
  if (!spec.backup) return;
  const repository = new DatabaseRepository(scope, 'repository', {
    ...{ name, namespace: metadata.namespace, instances, image },
    spec: { ...spec, backup: spec.backup },
    volumeSize: (size) => requestFor(size, archive),
  });
  if (repository.pod) {
    allowRecreation(repository.pod);
    // Without it, the conditions are still reported, and the deadline of the final backup still passes.
    allowRejection(repository.pod, 'lower spec.backup.serverResources, or change spec.podTemplate', { holdsUp: false });
  }
  if (!repository.claim) return;
  applyClaimPolicy(repository.claim, { live: archive, remedy: rejectionRemedy('spec.backup.target.volume.size') });
}

/** A desired DatabaseBackup. */
interface Wanted {
  readonly name: string;
  readonly origin: DatabaseBackupResource['spec']['origin'];
  readonly isVerified: boolean;
}

function addBackup(scope: Construct, { resource, name: database }: Situation, wanted: Wanted): void {
  const { name, origin, isVerified } = wanted;
  new KubeObject(scope, name, {
    apiVersion: 'reconstruct.dev/v1alpha1',
    kind: 'DatabaseBackup',
    metadata: {
      name,
      namespace: resource.metadata.namespace,
      labels: podSelector(database),
      ...(isVerified && { annotations: { [verifyAnnotation]: 'true' } }),
    },
    ...{ spec: { database, type: 'Full', origin } },
  });
}

/** The backups to keep: those in the archive, those that run, and the latest failures. */
function keptOf(backups: readonly DatabaseBackupResource[]): readonly DatabaseBackupResource[] {
  const failed = backups.filter(({ status }) => status?.state === 'Failed');
  const forgotten = new Set(failed.slice(0, -keptFailures));
  return backups.filter((backup) => backup.status?.state !== 'Expired' && !forgotten.has(backup));
}

/** The backup that the annotation requests, unless it was created before, even if it is deleted since. */
function newlyAsked({ resource, asked, wish }: Situation): readonly Wanted[] {
  const isNew = wish && wish.value !== resource.status?.backup?.asked;
  if (!isNew || asked.some(({ metadata }) => metadata.name === wish.name)) return [];
  return [{ name: wish.name, origin: 'Manual', isVerified: false }];
}

function wantedOf({ metadata, spec }: DatabaseBackupResource, isDue = false): Wanted {
  const isVerified = isDue || metadata.annotations?.[verifyAnnotation] === 'true';
  return { name: metadata.name, origin: spec.origin, isVerified };
}

/** Adds the final backup, and another one for each that failed verification. */
function addSnapshots(scope: Construct, situation: Situation): void {
  const { snapshots, nextSnapshot: name } = situation;
  for (const backup of snapshots) addBackup(scope, situation, wantedOf(backup));
  const isBad = snapshots.at(-1)?.status?.verified?.result === 'RestoreFailed';
  if (snapshots.length > 0 && !isBad) return;
  addBackup(scope, situation, { name, origin: 'Snapshot', isVerified: false });
}
