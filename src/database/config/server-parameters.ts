import type { DatabaseSpec } from '../../../imports/index.js';
import { fingerprint } from '../../manifest/fingerprint.js';
import { wholeQuantity } from '../../manifest/quantity.js';
import { places } from '../naming/places.js';

const MIB = 1024n ** 2n;

/** Parameters of PostgreSQL by name, with values as in postgresql.conf. */
export type ServerParameters = Readonly<Record<string, string>>;

/**
 * The parameters of the instances of a Database: those that the operator manages, defaults for the size of the
 * instances, and the parameters of the user, which override these defaults.
 * @param name name of the Database
 */
export function serverParameters(name: string, spec: DatabaseSpec): ServerParameters {
  return {
    ...bySize(spec),
    ...hardened,
    ...spec.parameters,
    ...arranged,
    ...archiving(name, spec),
  };
}

/** A fingerprint of the parameters of PostgreSQL. @param name name of the Database */
export function parametersRevision(name: string, spec: DatabaseSpec): string {
  return fingerprint(serverParameters(name, spec));
}

/** Defaults that users can change, but rarely should. */
const hardened: ServerParameters = {
  // A standby that disappears blocks every commit until this timeout.
  wal_sender_timeout: '10s',
  wal_receiver_timeout: '10s',
  wal_receiver_status_interval: '2s',
  // A client that disappears holds its locks until this timeout.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  // Enough for nine instances, each of which can be cloned while it streams to another.
  max_wal_senders: '20',
  max_replication_slots: '20',
  // The image has no compiler.
  jit: 'off',
  // A node gives no huge pages to a Pod that does not request them.
  huge_pages: 'off',
  log_line_prefix: '%m [%p] %q%u@%d ',
  log_lock_waits: 'on',
};

/** Parameters that the operator manages. The schema refuses them in a spec. */
const arranged: ServerParameters = {
  unix_socket_directories: places.sockets,
  ssl: 'on',
  ssl_cert_file: `${places.tls}/tls.crt`,
  ssl_key_file: `${places.tls}/tls.key`,
  ssl_ca_file: `${places.tls}/ca.crt`,
  password_encryption: 'scram-sha-256',
  logging_collector: 'off',
  wal_level: 'replica',
  // Always on, because a change of this parameter requires a restart. Archiving can start and stop without one.
  archive_mode: 'on',
};

function archiving(name: string, { backup }: DatabaseSpec): ServerParameters {
  if (!backup) return { archive_command: '/bin/true', archive_timeout: '0' };
  // At most one minute of acknowledged rows is missing from the archive.
  return { archive_command: archiveCommand(name, 'archive-push %p'), archive_timeout: '60s' };
}

/**
 * The command that PostgreSQL runs for a file of its log. If the archive is unavailable, it times out after seconds
 * instead of a minute. A starting server requests several files before it contacts the primary, and a stopping server
 * tries the last file three times.
 * @param name name of the Database
 * @param verb command of pgBackRest with its arguments
 */
export function archiveCommand(name: string, verb: string): string {
  return `pgbackrest --stanza=${name} --io-timeout=5 ${verb}`;
}

function bySize({ storage, resources }: DatabaseSpec): ServerParameters {
  const memory = resources.limits?.memory ?? resources.requests?.memory;
  return { ...ofStorage(mebibytes(storage.size)), ...(memory === undefined ? {} : ofMemory(mebibytes(memory))) };
}

/**
 * Limits the log by the size of the volume. The usual log of a gibibyte and unused replication slots would fill a small
 * volume. The kept log is for a replica that was unavailable. With an archive, PostgreSQL closes a file of 16 MB each
 * minute, so 128 MB are eight minutes, and the archive has the older log.
 */
function ofStorage(size: bigint): ServerParameters {
  return {
    min_wal_size: megabytes(between(size / 16n, 32n, 80n)),
    max_wal_size: megabytes(between(size / 8n, 64n, 1024n)),
    wal_keep_size: megabytes(between(size / 8n, 32n, 1024n)),
    max_slot_wal_keep_size: megabytes(between(size / 4n, 64n, 16_384n)),
  };
}

/** A quarter of the memory for the cache of PostgreSQL, and a hint for the size of the system cache. */
function ofMemory(size: bigint): ServerParameters {
  return {
    shared_buffers: megabytes(between(size / 4n, 32n, 16_384n)),
    effective_cache_size: megabytes(between((size * 3n) / 4n, 64n, 1_048_576n)),
  };
}

function mebibytes(quantity: number | string): bigint {
  return wholeQuantity(quantity) / MIB;
}

function megabytes(amount: bigint): string {
  return `${amount}MB`;
}

function between(value: bigint, least: bigint, most: bigint): bigint {
  if (value < least) return least;
  return value > most ? most : value;
}
