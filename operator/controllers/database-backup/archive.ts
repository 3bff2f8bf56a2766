import type { DatabaseBackupStatusArchive, DatabaseResource } from '../../../imports/index.js';
import { bucketPath, objectNames } from '../../../src/index.js';

/** The current archive of a Database. Undefined without backups. */
export function archiveOf({ metadata, spec }: DatabaseResource): DatabaseBackupStatusArchive | undefined {
  const { name, namespace = '' } = metadata;
  if (!spec.backup) return undefined;
  const { s3 } = spec.backup.target;
  if (!s3) return { volume: { claimName: objectNames(name).repository } };
  const { endpoint, bucket, region, path = bucketPath({ name, namespace }), uriStyle, secretRef } = s3;
  return { s3: { endpoint, bucket, region, path, uriStyle, secretRef: { name: secretRef.name } } };
}

/** True if both describe the same archive. The Secret with its keys does not matter. */
export function isSameArchive(one: DatabaseBackupStatusArchive, other: DatabaseBackupStatusArchive): boolean {
  return placeOf(one) === placeOf(other);
}

function placeOf({ volume, s3 }: DatabaseBackupStatusArchive): string {
  return s3 ? `s3://${s3.endpoint}/${s3.bucket}${s3.path}` : `claim ${volume?.claimName}`;
}
