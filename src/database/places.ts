/** Where the processes of a Database find what they work with, in each of its pods. */
export const places = {
  /** What {@link patroniConfig} and its neighbours say, as files. */
  settings: '/etc/reconstruct',
  /** `tls.crt`, `tls.key`, `ca.crt`. */
  tls: '/etc/reconstruct/tls',
  /** A file per password. */
  secrets: '/etc/reconstruct/secrets',
  /** `accessKeyId`, `secretAccessKey`, and perhaps `ca.crt`, of the bucket of backups. */
  bucket: '/etc/reconstruct/s3',
  /** `init.sql`. */
  initSql: '/etc/reconstruct/init',
  /** `pgbackrest.conf` of what is restored, with its `tls` and `s3` beside it. */
  restore: '/etc/reconstruct/restore',
  /** The mount of an instance's claim. PostgreSQL refuses a mount itself, which its group may open. */
  volume: '/var/lib/postgresql',
  data: '/var/lib/postgresql/pgdata',
  sockets: '/run/postgresql',
  /** The mount of the claim of backups. */
  repository: '/var/lib/pgbackrest',
} as const;

/** Ports of an instance. */
export const databasePorts = { postgresql: 5432, patroni: 8008, pgbackrest: 8432 } as const;

/** The roles that are not the user's, beside the superuser `postgres`. */
export const databaseRoles = { superuser: 'postgres', replication: 'replicator', rewind: 'rewinder' } as const;

/**
 * The host name of a pod of a Database, as its certificate has it: without the cluster's domain, which nobody knows, and
 * not shorter, since a certificate cannot have `*` for one of two labels.
 * @param pod `orders-2`
 */
export function hostOfPod(pod: string, database: { readonly name: string; readonly namespace: string }): string {
  return `${pod}.${database.name}-members.${database.namespace}.svc`;
}
