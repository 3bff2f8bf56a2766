import type { DatabaseBackupStatusArchive, DatabaseResource } from '../../../imports/index.js';
import { bucketPath, objectNames } from '../../../src/index.js';

/** Where the backups of a Database go at present; undefined without backups. */
export function archiveOf({ metadata, spec }: DatabaseResource): DatabaseBackupStatusArchive | undefined {
  const { name, namespace = '' } = metadata;
  if (!spec.backup) return undefined;
  const { s3 } = spec.backup.target;
  if (!s3) return { volume: { claimName: objectNames(name).repository } };
  const { endpoint, bucket, region, path = bucketPath({ name, namespace }), uriStyle, secretRef } = s3;
  return { s3: { endpoint, bucket, region, path, uriStyle, secretRef: { name: secretRef.name } } };
}

/** Two ways to say where an archive is mean the same one: by what keys it is reached does not matter. */
export function isSameArchive(one: DatabaseBackupStatusArchive, other: DatabaseBackupStatusArchive): boolean {
  return placeOf(one) === placeOf(other);
}

function placeOf({ volume, s3 }: DatabaseBackupStatusArchive): string {
  return s3 ? `s3://${s3.endpoint}/${s3.bucket}${s3.path}` : `claim ${volume?.claimName}`;
}
