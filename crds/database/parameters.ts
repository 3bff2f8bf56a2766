import { map, type Rule, string } from '../schema/index.js';

/**
 * Parameters that users must not set, by reason. Each reason becomes a rule and names the alternative, if there is one.
 */
const OWNED: readonly (readonly [why: string, ...names: readonly string[]])[] = [
  [
    'must not be set, because the operator decides where the server listens and keeps its files; remove it',
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
    'must not be set, because all connections use the certificates and passwords of the operator; remove it',
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
    'must not be set, because the operator manages replication; set replicas or synchronous instead',
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
    'must not be set, because the operator manages backups; set backup or bootstrap.restore instead',
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
  ['must not be set, because acknowledged rows would be lost; remove it', 'fsync', 'full_page_writes'],
  [
    'must not be set, because the server writes to the log of its Pod; remove it',
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
 * Characters that make postgresql.conf unreadable: PostgreSQL then ignores the whole file, and does not start with it.
 * The expression is valid in RE2 and in JavaScript.
 */
export const CONTROL_CHARACTER = '[\\x00-\\x1f\\x7f]';

/** CEL: the value of the parameter `key` has such a character. The literal is raw, so CEL does not unescape it. */
const HAS_CONTROL = `self[key].matches(r'${CONTROL_CHARACTER}')`;

/** CEL: the variable `key` is a name that PostgreSQL accepts, with or without the prefix of an extension. */
const IS_NAME = "key.matches('^[a-z_][a-z0-9_]{0,62}([.][a-z_][a-z0-9_]{0,62})?$')";

/** `spec.parameters`. */
export const parameters = map(
  'Parameters of PostgreSQL, such as `max_connections: "100"`. If a parameter requires a restart, the replicas restart first and the primary last. Defaults to the parameters of the image.',
  string('Value of the parameter, as in postgresql.conf but without quotes.', { maxLength: 1024 }),
  {
    maxProperties: 64,
    // A server-side apply of `{}` that removes the last parameter leaves null, which the API server refuses for a field
    // without a default.
    default: {},
    rules: [
      {
        rule: `self.all(key, ${IS_NAME})`,
        message: 'must have parameter names in lower case as keys, such as max_connections',
        messageExpression: `'key ' + self.filter(key, !${IS_NAME})[0] + ' must be a parameter name in lower case, such as max_connections'`,
      },
      {
        rule: `!self.exists(key, ${HAS_CONTROL})`,
        message: 'must not have a line break or another control character in a value; write each value on one line',
        messageExpression: `'parameter ' + self.filter(key, ${HAS_CONTROL})[0] + ' must not have a line break or another control character; write the value on one line'`,
      },
      ...OWNED.map(refused),
    ],
  },
);
