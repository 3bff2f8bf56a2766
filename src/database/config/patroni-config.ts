import { Yaml } from 'cdk8s';
import type { DatabaseSpec } from '../../../imports/index.js';
import { patroniLabels, roleLabel, scopeLabel } from '../naming/identity.js';
import { databasePorts, databaseRoles, places } from '../naming/places.js';
import { archiveCommand, parametersRevision, type ServerParameters, serverParameters } from './server-parameters.js';

/**
 * The Patroni configuration of all instances of a Database. Patroni stores it as JSON in the annotation `config` of the
 * ConfigMap `<name>-config`. Instances apply a change within seconds, and report whether they need a restart for it.
 * @see https://patroni.readthedocs.io/en/latest/dynamic_configuration.html
 */
export interface DynamicConfig {
  /** Seconds without a heartbeat from the primary until another instance can take over. */
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
    /** The command with which a replica gets log that the primary no longer has. Empty without backups. */
    readonly recovery_conf: Readonly<Record<string, string>>;
  };
  /**
   * Data that Patroni stores but ignores. `images/postgres/bin/patroni` makes each instance report it after it applies
   * it.
   */
  readonly reconstruct: {
    /** @see parametersRevision */
    readonly parameters: string;
    /** Names of the parameters in the spec. An instance refuses only these, if PostgreSQL does not start with them. */
    readonly given: readonly string[];
  };
}

/** The desired Patroni configuration of all instances. @param name name of the Database */
export function dynamicConfig(name: string, spec: DatabaseSpec): DynamicConfig {
  return {
    ttl: 20,
    loop_wait: 5,
    retry_timeout: 5,
    // Without the API server, a primary continues as long as every replica confirms that it does not take over.
    failsafe_mode: true,
    check_timeline: true,
    // For asynchronous replication: bytes that a replica can lag behind and still become primary.
    maximum_lag_on_failover: 1024 ** 2,
    // Seconds that a crashed primary has to recover before another instance takes over.
    primary_start_timeout: 10,
    // Seconds after which a primary that does not stop is killed, if another instance should take over.
    primary_stop_timeout: 30,
    ...synchrony(spec),
    postgresql: {
      use_pg_rewind: true,
      // Users may want to inspect diverged data: the operator sets the volume aside and clones another instance.
      remove_data_directory_on_rewind_failure: false,
      remove_data_directory_on_diverged_timelines: false,
      use_slots: true,
      parameters: serverParameters(name, spec),
      pg_hba: access,
      recovery_conf: spec.backup ? { restore_command: archiveCommand(name, 'archive-get %f "%p"') } : {},
    },
    reconstruct: { parameters: parametersRevision(name, spec), given: Object.keys(spec.parameters ?? {}).toSorted() },
  };
}

/**
 * Patroni names the desired number of streaming replicas. PostgreSQL waits for all named replicas, and no other replica
 * can become primary. In strict mode it waits even if Patroni has no replica to name.
 */
function synchrony({ synchronous: { mode, durability, replicas } }: DatabaseSpec) {
  const on = mode === 'Quorum';
  return {
    synchronous_mode: on,
    synchronous_mode_strict: on && durability === 'Required',
    synchronous_node_count: replicas,
  };
}

/**
 * Access rules: the superuser connects in its Pod without a password. All others need a password, and TLS from other
 * Pods.
 */
const access: readonly string[] = [
  `local all ${databaseRoles.superuser} peer`,
  'local all all scram-sha-256',
  `local replication ${databaseRoles.replication} scram-sha-256`,
  `hostssl replication ${databaseRoles.replication} all scram-sha-256`,
  'hostssl all all all scram-sha-256',
];

/**
 * `patroni.yaml`: the Patroni settings of each instance of a Database. The Pod adds the identity of the instance and
 * the passwords.
 * @param name name of the Database
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
      // Clients such as kubelets can read without a certificate. Changes require a certificate of this Database.
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

/**
 * Does not verify the host name: instances connect by address, and the authority of this Database signs for no other.
 */
function login(username: string) {
  return { username, sslmode: 'verify-ca', sslrootcert: `${places.tls}/ca.crt` };
}
