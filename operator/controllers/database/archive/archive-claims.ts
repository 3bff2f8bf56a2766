import type { DatabaseResource } from '../../../../imports/index.js';
import { bucketPath } from '../../../../src/index.js';
import { olderFirst, RejectedError } from '../../../runtime/index.js';

/** A Database that archives to a bucket. */
export interface ArchiveClaimant {
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339. */
  readonly creationTimestamp: string;
  /** True if an instance has had data, and so may have archived it. */
  readonly hasStarted: boolean;
}

/**
 * Keeps a new Database from the archive of another one. With two histories in it, neither could be restored. One that has
 * started has the archive, otherwise the oldest one.
 * @throws {RejectedError} if the archive belongs to another Database
 */
export function assertArchiveIsFree(resource: DatabaseResource, claimants: readonly ArchiveClaimant[]): void {
  const self = claimantOf(resource);
  const others = claimants.filter(({ namespace, name }) => namespace !== self.namespace || name !== self.name);
  if (self.hasStarted || others.length === 0) return;
  const holder = others.find(({ hasStarted }) => hasStarted) ?? [self, ...others].toSorted(olderFirst)[0];
  if (holder === undefined || holder === self) return;
  throw new RejectedError(
    'ArchiveTaken',
    `spec.backup.target.s3: Invalid value: must be an archive of its own, and Database ${holder.namespace}/${holder.name} has this one; set another bucket or path`,
  );
}

/**
 * The archive in a bucket, as the value of an index. pgBackRest keeps the archive of each name apart, also in one folder.
 * A volume has the name of its Database.
 */
export function archivesOf({ metadata, spec }: Pick<DatabaseResource, 'metadata' | 'spec'>): readonly string[] {
  const { name, namespace = '' } = metadata;
  const { s3 } = spec.backup?.target ?? {};
  return s3 ? [`${s3.endpoint}/${s3.bucket}${s3.path ?? bucketPath({ name, namespace })} ${name}`] : [];
}

/** What another Database learns about one that archives to a bucket. */
export function claimantOf({ metadata, status }: DatabaseResource): ArchiveClaimant {
  const { namespace = '', name, creationTimestamp = '' } = metadata;
  return { namespace, name, creationTimestamp, hasStarted: status?.timeline !== undefined };
}
