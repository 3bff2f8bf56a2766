import { map, type Rule, string } from '../schema/index.js';

/** Parameters that are not the user's, by why: each reason becomes a rule, and says where to turn instead. */
const OWNED: readonly (readonly [why: string, ...names: readonly string[]])[] = [
  [
    'is set by the operator: it decides where the server listens and keeps its files',
    'config_file',
    'data_directory',
    'external_pid_file',
    'hba_file',
    'ident_file',
    'listen_addresses',
    'port',
    'unix_socket_directories',
    'unix_socket_group',
    'unix_socket_permissions',
  ],
  [
    'is set by the operator: all connections have its certificates and passwords',
    'password_encryption',
    'ssl',
    'ssl_ca_file',
    'ssl_cert_file',
    'ssl_crl_dir',
    'ssl_crl_file',
    'ssl_key_file',
    'ssl_min_protocol_version',
    'ssl_passphrase_command',
  ],
  [
    'belongs to replication, which the operator arranges; set replicas or synchronous instead',
    'cluster_name',
    'hot_standby',
    'primary_conninfo',
    'primary_slot_name',
    'promote_trigger_file',
    'restart_after_crash',
    'synchronous_commit',
    'synchronous_standby_names',
    'wal_level',
    'wal_log_hints',
  ],
  [
    'belongs to backups, which the operator arranges; set backup or bootstrap.restore instead',
    'archive_cleanup_command',
    'archive_command',
    'archive_library',
    'archive_mode',
    'recovery_end_command',
    'recovery_target',
    'recovery_target_action',
    'recovery_target_inclusive',
    'recovery_target_lsn',
    'recovery_target_name',
    'recovery_target_time',
    'recovery_target_timeline',
    'recovery_target_xid',
    'restore_command',
  ],
  ['would lose rows that were acknowledged; leave it out', 'fsync', 'full_page_writes'],
  [
    'is set by the operator: the log is that of the pod',
    'event_source',
    'log_destination',
    'log_directory',
    'log_file_mode',
    'log_filename',
    'logging_collector',
    'syslog_facility',
    'syslog_ident',
  ],
];

const refused = ([why, ...names]: (typeof OWNED)[number]): Rule => {
  const isOne = `key in ['${names.join("', '")}']`;
  return {
    rule: `!self.exists(key, ${isOne})`,
    message: `has a parameter that ${why}`,
    messageExpression: `'parameter ' + self.filter(key, ${isOne})[0] + ' ${why}'`,
    reason: 'FieldValueForbidden',
  };
};

/**
 * A character of a value with which no line of postgresql.conf can be read: PostgreSQL then takes nothing of the file, and
 * does not start with it. An RE2 expression, and one of JavaScript.
 */
export const CONTROL_CHARACTER = '[\\x00-\\x1f\\x7f]';

/** The parameter `key` has one, in CEL. The text is raw, so that the expression is read as it stands. */
const HAS_CONTROL = `self[key].matches(r'${CONTROL_CHARACTER}')`;

/** What PostgreSQL takes as a name, with the prefix of an extension if it has one. Of a variable `key`, in CEL. */
const IS_NAME = "key.matches('^[a-z_][a-z0-9_]{0,62}([.][a-z_][a-z0-9_]{0,62})?$')";

/** `spec.parameters`. */
export const parameters = map(
  'Parameters of PostgreSQL, as `max_connections: "100"`. One that takes a restart restarts the replicas first and the primary last. By default those of the image.',
  string("The parameter's value, as it stands in postgresql.conf without quotes.", { maxLength: 1024 }),
  {
    maxProperties: 64,
    // A server-side apply of `{}` that takes the last one away leaves null, which is refused of what has no default.
    default: {},
    rules: [
      {
        rule: `self.all(key, ${IS_NAME})`,
        message: 'has a key that is no parameter; write it in lower case, as max_connections',
        messageExpression: `'key ' + self.filter(key, !${IS_NAME})[0] + ' is no parameter; write it in lower case, as max_connections'`,
      },
      {
        rule: `!self.exists(key, ${HAS_CONTROL})`,
        message: 'has a value with a line break or another control character; write it on one line, without any',
        messageExpression: `'parameter ' + self.filter(key, ${HAS_CONTROL})[0] + ' has a line break or another control character; write it on one line, without any'`,
      },
      ...OWNED.map(refused),
    ],
  },
);
