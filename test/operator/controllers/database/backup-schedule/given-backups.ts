import { App, Chart } from 'cdk8s';
import type { DatabaseBackupResource, DatabaseResource } from '../../../../../imports/index.js';
import { assess } from '../../../../../operator/controllers/database/backup-schedule/assess.js';
import { desire } from '../../../../../operator/controllers/database/backup-schedule/desire.js';
import type { BackupScheduleView } from '../../../../../operator/controllers/database/backup-schedule/view.js';
import type { Manifest } from '../../../../../operator/runtime/index.js';
import { factsOf } from '../../../../../operator/testing/index.js';
import { givenBackup } from '../../database-backup/given-backup.js';

/** What there is beside a Database. */
export interface Around {
  /** DatabaseBackups, whoever made them. */
  readonly backups?: readonly DatabaseBackupResource[];
  /** Those that were its own, and were left. */
  readonly left?: readonly DatabaseBackupResource[];
  /** The names of instances. @default orders-1 */
  readonly instances?: readonly string[];
  /** The volumes of instances, by claim. @default none */
  readonly volumes?: Readonly<Record<string, string>>;
  /** When the claim that has the archive was made, and deleted. @default - long ago, and not at all */
  readonly archive?: { readonly creationTimestamp?: string; readonly deletionTimestamp?: string } | undefined;
  /** The sizes of that claim. @default - not known */
  readonly sizes?: { readonly request: string; readonly capacity: string };
  /** Whether its namespace is being deleted. @default - not seen */
  readonly isNamespaceEnding?: boolean;
  /** Why an object was left as it is. */
  readonly blocker?: string;
  readonly now?: string;
}

/** What the backups of a Database look at. */
export function factsAbout(database: DatabaseResource, around: Around = {}): BackupScheduleView & { blocker?: string } {
  const { archive = 'archive' in around ? undefined : { creationTimestamp: '2026-11-01T00:00:00Z' } } = around;
  const {
    backups = [],
    left = [],
    instances = ['orders-1'],
    volumes = {},
    sizes,
    isNamespaceEnding,
    blocker,
    now = '2026-11-22T12:00:00Z',
  } = around;
  const labels = (instance: string) => ({ 'reconstruct.dev/instance': instance });
  const pod = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels: labels(name) },
  });
  const claim = (name: string, volumeName: string) => ({
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: { volumeName } },
    metadata: { name, namespace: 'shop', labels: labels(name) },
  });
  const repository = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    spec: { volumeName: 'pvc-archive', ...(sizes && { resources: { requests: { storage: sizes.request } } }) },
    ...(sizes && { status: { phase: 'Bound', capacity: { storage: sizes.capacity } } }),
    metadata: { name: 'orders-repo', ...archive },
  };
  const own = backups.filter(({ metadata, spec }) => spec.origin !== 'Manual' || metadata.name.includes('-asked-'));
  return factsOf(database, {
    owned: [...own, ...(archive ? [repository] : [])],
    siblings: [...instances.map(pod), ...Object.entries(volumes).map(([name, volume]) => claim(name, volume))],
    reads: { backups: [...backups, ...left], isNamespaceEnding },
    now: new Date(now),
    ...(blocker !== undefined && { blocker }),
  }) as unknown as BackupScheduleView & { blocker?: string };
}

/** The objects that are to be, as `DatabaseBackup orders-20261122-030000 verify`. */
export function wanted(facts: BackupScheduleView): string[] {
  const chart = new Chart(new App(), 'resource');
  desire(chart, facts);
  return chart
    .toJson()
    .map(({ kind, metadata }: Manifest) => {
      const isVerified = metadata.annotations?.['reconstruct.dev/verify'] === 'true';
      return `${kind} ${metadata.name}${isVerified ? ' verify' : ''}`;
    })
    .sort();
}

/** The size that the PVC of the archive requests. */
export function requestedSize(facts: BackupScheduleView): string | undefined {
  const chart = new Chart(new App(), 'resource');
  desire(chart, facts);
  const isClaim = ({ kind }: Manifest) => kind === 'PersistentVolumeClaim';
  return chart.toJson().find(isClaim)?.spec.resources.requests.storage;
}

/** What is said, as `BackedUp Current`. */
export function said(facts: BackupScheduleView & { blocker?: string }): string[] {
  return Object.entries(assess(facts as Parameters<typeof assess>[0]).conditions).flatMap(([type, mark]) =>
    mark ? [`${type} ${mark.reason}`] : [],
  );
}

/** A backup that the schedule made. */
export function scheduled(
  due: string,
  status: DatabaseBackupResource['status'] = {},
  annotations = {},
): DatabaseBackupResource {
  return givenBackup(`orders-${due}`, { spec: { origin: 'Schedule' }, status, meta: { annotations } });
}

/** The status of one that is in the archive. @param finished as 2026-11-22 */
export function inArchive(
  finished: string,
  more: DatabaseBackupResource['status'] = {},
): DatabaseBackupResource['status'] {
  return { label: `${finished}F`, finished: `${finished}T03:00:09Z`, state: 'Completed', ...more };
}
