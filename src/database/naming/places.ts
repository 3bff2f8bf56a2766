/** The paths that the processes of a Database use in each of its Pods. */
export const places = {
  /** The files of {@link patroniConfig} and of the other settings. */
  settings: '/etc/reconstruct',
  /** `tls.crt`, `tls.key`, `ca.crt`. */
  tls: '/etc/reconstruct/tls',
  /** One file for each password. */
  secrets: '/etc/reconstruct/secrets',
  /** `accessKeyId`, `secretAccessKey` and optionally `ca.crt` for the bucket of the backups. */
  bucket: '/etc/reconstruct/s3',
  /** `init.sql`. */
  initSql: '/etc/reconstruct/init',
  /** `pgbackrest.conf` of the restore source, with its folders `tls` and `s3`. */
  restore: '/etc/reconstruct/restore',
  /**
   * The mount of the PersistentVolumeClaim of an instance. PostgreSQL refuses the mount itself, because its group can
   * open it.
   */
  volume: '/var/lib/postgresql',
  data: '/var/lib/postgresql/pgdata',
  sockets: '/run/postgresql',
  /** The mount of the PersistentVolumeClaim of the backups. */
  repository: '/var/lib/pgbackrest',
} as const;

/** The ports of an instance. */
export const databasePorts = { postgresql: 5432, patroni: 8008, pgbackrest: 8432 } as const;

/** The PostgreSQL roles that the operator uses: the superuser and two others. */
export const databaseRoles = { superuser: 'postgres', replication: 'replicator', rewind: 'rewinder' } as const;

/**
 * The host name of a Pod of a Database, as in its certificate. It omits the domain of the cluster, which is unknown. It
 * cannot be shorter, because a certificate cannot have `*` for one of two labels.
 * @param pod name of the Pod, such as `orders-2`
 */
export function hostOfPod(pod: string, database: { readonly name: string; readonly namespace: string }): string {
  return `${pod}.${database.name}-members.${database.namespace}.svc`;
}
