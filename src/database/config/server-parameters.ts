import type { DatabaseSpec } from '../../../imports/index.js';
import { wholeQuantity } from '../../quantity.js';
import { fingerprint } from '../fingerprint.js';
import { places } from '../places.js';

const MIB = 1024n ** 2n;

/** Parameters of PostgreSQL by name, as they stand in postgresql.conf. */
export type ServerParameters = Readonly<Record<string, string>>;

/**
 * The parameters with which the instances of a Database run: those that the operator arranges, what suits the size of the
 * instances, and over these what its user says.
 * @param name the Database's
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

/** A fingerprint of the parameters with which PostgreSQL runs. @param name the Database's */
export function parametersRevision(name: string, spec: DatabaseSpec): string {
  return fingerprint(serverParameters(name, spec));
}

/** What its user may change, but rarely should. */
const hardened: ServerParameters = {
  // A standby that is gone without a word holds up every commit until it is given up.
  wal_sender_timeout: '10s',
  wal_receiver_timeout: '10s',
  wal_receiver_status_interval: '2s',
  // A client that is gone without a word holds its locks until it is given up.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  // Nine instances, each of which may be cloned while it streams to another.
  max_wal_senders: '20',
  max_replication_slots: '20',
  // No compiler is in the image.
  jit: 'off',
  // A node that has huge pages gives none to a pod that does not ask.
  huge_pages: 'off',
  log_line_prefix: '%m [%p] %q%u@%d ',
  log_lock_waits: 'on',
};

/** What the schema keeps its user from saying. */
const arranged: ServerParameters = {
  unix_socket_directories: places.sockets,
  ssl: 'on',
  ssl_cert_file: `${places.tls}/tls.crt`,
  ssl_key_file: `${places.tls}/tls.key`,
  ssl_ca_file: `${places.tls}/ca.crt`,
  password_encryption: 'scram-sha-256',
  logging_collector: 'off',
  wal_level: 'replica',
  // An archive can begin and end without a restart, which this parameter would take.
  archive_mode: 'on',
};

function archiving(name: string, { backup }: DatabaseSpec): ServerParameters {
  if (!backup) return { archive_command: '/bin/true', archive_timeout: '0' };
  // No more than a minute of acknowledged rows is in the instances alone.
  return { archive_command: archiveCommand(name, 'archive-push %p'), archive_timeout: '60s' };
}

/**
 * What PostgreSQL runs for a file of its log. It gives up after seconds instead of a minute when the archive is away: a
 * server that starts asks for several files before it asks the primary, and one that stops tries the last one three times.
 * @param name the Database's
 * @param verb pgBackRest's, and its arguments
 */
export function archiveCommand(name: string, verb: string): string {
  return `pgbackrest --stanza=${name} --io-timeout=5 ${verb}`;
}

function bySize({ storage, resources }: DatabaseSpec): ServerParameters {
  const memory = resources.limits?.memory ?? resources.requests?.memory;
  return { ...ofStorage(mebibytes(storage.size)), ...(memory === undefined ? {} : ofMemory(mebibytes(memory))) };
}

/**
 * The usual log of a gibibyte, and slots that nobody reads, would fill a small volume. What is kept is for a replica that
 * was away: an archive closes a file of 16 MB each minute, so 128 MB are eight minutes, and what is older it has there.
 */
function ofStorage(size: bigint): ServerParameters {
  return {
    min_wal_size: megabytes(between(size / 16n, 32n, 80n)),
    max_wal_size: megabytes(between(size / 8n, 64n, 1024n)),
    wal_keep_size: megabytes(between(size / 8n, 32n, 1024n)),
    max_slot_wal_keep_size: megabytes(between(size / 4n, 64n, 16_384n)),
  };
}

/** A quarter for PostgreSQL's own cache, and a hint of what the system's will be. */
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
