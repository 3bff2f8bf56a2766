import { Yaml } from 'cdk8s';
import type { DatabaseSpec } from '../../../imports/index.js';
import { databasePorts, databaseRoles, places } from '../places.js';
import { archiveCommand, parametersRevision, type ServerParameters, serverParameters } from './server-parameters.js';

/**
 * What holds for all instances of a Database alike. Patroni keeps it in the annotation `config` of the ConfigMap
 * `<name>-config`, as JSON; the instances follow a change within seconds, and say which of them must be restarted for it.
 * @see https://patroni.readthedocs.io/en/latest/dynamic_configuration.html
 */
export interface DynamicConfig {
  /** Seconds without a word from the primary until another instance may take its place. */
  readonly ttl: number;
  readonly loop_wait: number;
  readonly retry_timeout: number;
  readonly failsafe_mode: boolean;
  readonly check_timeline: boolean;
  readonly maximum_lag_on_failover: number;
  readonly primary_start_timeout: number;
  readonly primary_stop_timeout: number;
  readonly synchronous_mode: boolean;
  readonly synchronous_mode_strict: boolean;
  readonly synchronous_node_count: number;
  readonly postgresql: {
    readonly use_pg_rewind: boolean;
    readonly remove_data_directory_on_rewind_failure: boolean;
    readonly remove_data_directory_on_diverged_timelines: boolean;
    readonly use_slots: boolean;
    readonly parameters: ServerParameters;
    readonly pg_hba: readonly string[];
    /** How a replica gets what the primary has no longer. Empty without backups: there is nowhere to get it. */
    readonly recovery_conf: Readonly<Record<string, string>>;
  };
  /** What Patroni keeps and does not look at. An instance tells it as `images/postgres/bin/patroni` adds, once it goes by it. */
  readonly reconstruct: {
    /** @see parametersRevision */
    readonly parameters: string;
  };
}

/** What Patroni is to hold for all instances. @param name the Database's */
export function dynamicConfig(name: string, spec: DatabaseSpec): DynamicConfig {
  return {
    ttl: 20,
    loop_wait: 5,
    retry_timeout: 5,
    // When the API server is away, a primary goes on as long as it hears from every replica that none takes its place.
    failsafe_mode: true,
    check_timeline: true,
    // Of a Database that is not synchronous: bytes that a replica may lack and still take the primary's place.
    maximum_lag_on_failover: 1024 ** 2,
    // Seconds that a primary which crashed may take to recover before another instance takes its place.
    primary_start_timeout: 10,
    // Seconds until a primary that does not stop is killed, when another instance shall take its place.
    primary_stop_timeout: 30,
    ...synchrony(spec),
    postgresql: {
      use_pg_rewind: true,
      // Data that differs is somebody's to look at: the operator puts it aside, and clones another instance.
      remove_data_directory_on_rewind_failure: false,
      remove_data_directory_on_diverged_timelines: false,
      use_slots: true,
      parameters: serverParameters(name, spec),
      pg_hba: access,
      recovery_conf: spec.backup ? { restore_command: archiveCommand(name, 'archive-get %f "%p"') } : {},
    },
    reconstruct: { parameters: parametersRevision(name, spec) },
  };
}

/**
 * Patroni names as many replicas as are asked for, of those that stream, and PostgreSQL waits for all that are named; no
 * other may become primary. Strict means that it waits even when there is none to name.
 */
function synchrony({ synchronous: { mode, durability, replicas } }: DatabaseSpec) {
  const on = mode === 'Quorum';
  return {
    synchronous_mode: on,
    synchronous_mode_strict: on && durability === 'Required',
    synchronous_node_count: replicas,
  };
}

/** Who may connect: the superuser from its pod without a password, everybody else with one, and by TLS from elsewhere. */
const access: readonly string[] = [
  `local all ${databaseRoles.superuser} peer`,
  'local all all scram-sha-256',
  `local replication ${databaseRoles.replication} scram-sha-256`,
  `hostssl replication ${databaseRoles.replication} all scram-sha-256`,
  'hostssl all all all scram-sha-256',
];

/**
 * `patroni.yaml`: what Patroni is told in each instance of a Database. Who the instance is, and its passwords, are added in
 * the pod.
 * @param name the Database's
 */
export function patroniConfig(name: string, spec: DatabaseSpec): string {
  return Yaml.stringify({
    scope: name,
    kubernetes: {
      use_endpoints: false,
      labels: patroniLabels(name),
      scope_label: scopeLabel,
      role_label: roleLabel,
    },
    restapi: {
      listen: `*:${databasePorts.patroni}`,
      certfile: `${places.tls}/tls.crt`,
      keyfile: `${places.tls}/tls.key`,
      cafile: `${places.tls}/ca.crt`,
      // Everybody may look, as kubelets do; whoever asks for something to be done shows a certificate of this Database.
      verify_client: 'optional',
    },
    ctl: {
      certfile: `${places.tls}/tls.crt`,
      keyfile: `${places.tls}/tls.key`,
      cacert: `${places.tls}/ca.crt`,
    },
    bootstrap: {
      dcs: dynamicConfig(name, spec),
      method: 'begin',
      begin: { command: 'begin', keep_existing_recovery_conf: true },
      post_init: 'furnish',
    },
    postgresql: {
      listen: `*:${databasePorts.postgresql}`,
      data_dir: places.data,
      bin_dir: '/usr/lib/postgresql/15/bin',
      pgpass: '/tmp/pgpass',
      use_unix_socket: true,
      use_unix_socket_repl: true,
      basebackup: [{ checkpoint: 'fast' }],
      authentication: {
        superuser: login(databaseRoles.superuser),
        replication: login(databaseRoles.replication),
        rewind: login(databaseRoles.rewind),
      },
    },
    watchdog: { mode: 'off' },
  });
}

/** The label by which Patroni tells its Databases apart; only pods of instances may have it. */
export const scopeLabel = 'cluster-name';

/** The label of pods of instances which Patroni keeps: `master` or `replica`. */
export const roleLabel = 'role';

/** The labels, beside {@link scopeLabel}, by which Patroni finds the pods of a Database, and which its ConfigMaps get. */
export function patroniLabels(name: string): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'postgresql',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/managed-by': 'reconstruct',
    'reconstruct.dev/database': name,
  };
}

/** Without the name of the host: instances are reached by address, and this Database's authority signs for no other. */
function login(username: string) {
  return { username, sslmode: 'verify-ca', sslrootcert: `${places.tls}/ca.crt` };
}
