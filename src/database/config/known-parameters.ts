/** The type and limits of a parameter. */
export type ParameterType =
  | { readonly type: 'bool' | 'text' }
  | { readonly type: 'one'; readonly of: readonly string[] }
  | {
      readonly type: 'integer' | 'real';
      /** The unit of a number without a suffix, such as `kB` or `ms`. Empty if the parameter has no unit. */
      readonly unit: string;
      readonly least: number;
      readonly most: number;
    };

/**
 * The parameters of PostgreSQL 15 that can be set, from its view `pg_settings`: the name, the type, and for numbers the
 * unit, the minimum and the maximum. A `~` is a space.
 */
const table = `
datestyle=text intervalstyle=one:postgres|postgres_verbose|sql_standard|iso_8601 timezone=text
allow_in_place_tablespaces=bool allow_system_table_mods=bool application_name=text archive_cleanup_command=text
archive_command=text archive_library=text archive_mode=one:always|on|off archive_timeout=integer:s:0:1073741823
array_nulls=bool authentication_timeout=integer:s:1:600 autovacuum=bool autovacuum_analyze_scale_factor=real::0:100
autovacuum_analyze_threshold=integer::0:2147483647 autovacuum_freeze_max_age=integer::100000:2000000000
autovacuum_max_workers=integer::1:262143 autovacuum_multixact_freeze_max_age=integer::10000:2000000000
autovacuum_naptime=integer:s:1:2147483 autovacuum_vacuum_cost_delay=real:ms:-1:100
autovacuum_vacuum_cost_limit=integer::-1:10000 autovacuum_vacuum_insert_scale_factor=real::0:100
autovacuum_vacuum_insert_threshold=integer::-1:2147483647 autovacuum_vacuum_scale_factor=real::0:100
autovacuum_vacuum_threshold=integer::0:2147483647 autovacuum_work_mem=integer:kB:-1:2147483647
backend_flush_after=integer:8kB:0:256 backslash_quote=one:safe_encoding|on|off backtrace_functions=text
bgwriter_delay=integer:ms:10:10000 bgwriter_flush_after=integer:8kB:0:256 bgwriter_lru_maxpages=integer::0:1073741823
bgwriter_lru_multiplier=real::0:10 bonjour=bool bonjour_name=text bytea_output=one:escape|hex
check_function_bodies=bool checkpoint_completion_target=real::0:1 checkpoint_flush_after=integer:8kB:0:256
checkpoint_timeout=integer:s:30:86400 checkpoint_warning=integer:s:0:2147483647
client_connection_check_interval=integer:ms:0:2147483647 client_encoding=text
client_min_messages=one:debug5|debug4|debug3|debug2|debug1|log|notice|warning|error cluster_name=text
commit_delay=integer::0:100000 commit_siblings=integer::0:1000 compute_query_id=one:auto|regress|on|off
config_file=text constraint_exclusion=one:partition|on|off cpu_index_tuple_cost=real::0:1.79769e+308
cpu_operator_cost=real::0:1.79769e+308 cpu_tuple_cost=real::0:1.79769e+308 cursor_tuple_fraction=real::0:1
data_directory=text data_sync_retry=bool db_user_namespace=bool deadlock_timeout=integer:ms:1:2147483647
debug_discard_caches=integer::0:0 debug_pretty_print=bool debug_print_parse=bool debug_print_plan=bool
debug_print_rewritten=bool default_statistics_target=integer::1:10000 default_table_access_method=text
default_tablespace=text default_text_search_config=text default_toast_compression=one:pglz|lz4
default_transaction_deferrable=bool
default_transaction_isolation=one:serializable|repeatable~read|read~committed|read~uncommitted
default_transaction_read_only=bool dynamic_library_path=text dynamic_shared_memory_type=one:posix|sysv|mmap
effective_cache_size=integer:8kB:1:2147483647 effective_io_concurrency=integer::0:1000 enable_async_append=bool
enable_bitmapscan=bool enable_gathermerge=bool enable_hashagg=bool enable_hashjoin=bool enable_incremental_sort=bool
enable_indexonlyscan=bool enable_indexscan=bool enable_material=bool enable_memoize=bool enable_mergejoin=bool
enable_nestloop=bool enable_parallel_append=bool enable_parallel_hash=bool enable_partition_pruning=bool
enable_partitionwise_aggregate=bool enable_partitionwise_join=bool enable_seqscan=bool enable_sort=bool
enable_tidscan=bool escape_string_warning=bool event_source=text exit_on_error=bool extension_destdir=text
external_pid_file=text extra_float_digits=integer::-15:3 force_parallel_mode=one:off|on|regress
from_collapse_limit=integer::1:2147483647 fsync=bool full_page_writes=bool geqo=bool geqo_effort=integer::1:10
geqo_generations=integer::0:2147483647 geqo_pool_size=integer::0:2147483647 geqo_seed=real::0:1
geqo_selection_bias=real::1.5:2 geqo_threshold=integer::2:2147483647 gin_fuzzy_search_limit=integer::0:2147483647
gin_pending_list_limit=integer:kB:64:2147483647 hash_mem_multiplier=real::1:1000 hba_file=text hot_standby=bool
hot_standby_feedback=bool huge_page_size=integer:kB:0:2147483647 huge_pages=one:off|on|try ident_file=text
idle_in_transaction_session_timeout=integer:ms:0:2147483647 idle_session_timeout=integer:ms:0:2147483647
ignore_checksum_failure=bool ignore_invalid_pages=bool ignore_system_indexes=bool jit=bool
jit_above_cost=real::-1:1.79769e+308 jit_debugging_support=bool jit_dump_bitcode=bool jit_expressions=bool
jit_inline_above_cost=real::-1:1.79769e+308 jit_optimize_above_cost=real::-1:1.79769e+308 jit_profiling_support=bool
jit_provider=text jit_tuple_deforming=bool join_collapse_limit=integer::1:2147483647 krb_caseins_users=bool
krb_server_keyfile=text lc_messages=text lc_monetary=text lc_numeric=text lc_time=text listen_addresses=text
lo_compat_privileges=bool local_preload_libraries=text lock_timeout=integer:ms:0:2147483647
log_autovacuum_min_duration=integer:ms:-1:2147483647 log_checkpoints=bool log_connections=bool log_destination=text
log_directory=text log_disconnections=bool log_duration=bool log_error_verbosity=one:terse|default|verbose
log_executor_stats=bool log_file_mode=integer::0:511 log_filename=text log_hostname=bool log_line_prefix=text
log_lock_waits=bool log_min_duration_sample=integer:ms:-1:2147483647
log_min_duration_statement=integer:ms:-1:2147483647
log_min_error_statement=one:debug5|debug4|debug3|debug2|debug1|info|notice|warning|error|log|fatal|panic
log_min_messages=one:debug5|debug4|debug3|debug2|debug1|info|notice|warning|error|log|fatal|panic
log_parameter_max_length=integer:B:-1:1073741823 log_parameter_max_length_on_error=integer:B:-1:1073741823
log_parser_stats=bool log_planner_stats=bool log_recovery_conflict_waits=bool log_replication_commands=bool
log_rotation_age=integer:min:0:35791394 log_rotation_size=integer:kB:0:2097151
log_startup_progress_interval=integer:ms:0:2147483647 log_statement=one:none|ddl|mod|all
log_statement_sample_rate=real::0:1 log_statement_stats=bool log_temp_files=integer:kB:-1:2147483647 log_timezone=text
log_transaction_sample_rate=real::0:1 log_truncate_on_rotation=bool logging_collector=bool
logical_decoding_work_mem=integer:kB:64:2147483647 maintenance_io_concurrency=integer::0:1000
maintenance_work_mem=integer:kB:1024:2147483647 max_connections=integer::1:262143
max_files_per_process=integer::64:2147483647 max_locks_per_transaction=integer::10:2147483647
max_logical_replication_workers=integer::0:262143 max_parallel_maintenance_workers=integer::0:1024
max_parallel_workers=integer::0:1024 max_parallel_workers_per_gather=integer::0:1024
max_pred_locks_per_page=integer::0:2147483647 max_pred_locks_per_relation=integer::-2147483648:2147483647
max_pred_locks_per_transaction=integer::10:2147483647 max_prepared_transactions=integer::0:262143
max_replication_slots=integer::0:262143 max_slot_wal_keep_size=integer:MB:-1:2147483647
max_stack_depth=integer:kB:100:2147483647 max_standby_archive_delay=integer:ms:-1:2147483647
max_standby_streaming_delay=integer:ms:-1:2147483647 max_sync_workers_per_subscription=integer::0:262143
max_wal_senders=integer::0:262143 max_wal_size=integer:MB:2:2147483647 max_worker_processes=integer::0:262143
min_dynamic_shared_memory=integer:MB:0:2147483647 min_parallel_index_scan_size=integer:8kB:0:715827882
min_parallel_table_scan_size=integer:8kB:0:715827882 min_wal_size=integer:MB:2:2147483647
old_snapshot_threshold=integer:min:-1:86400 parallel_leader_participation=bool
parallel_setup_cost=real::0:1.79769e+308 parallel_tuple_cost=real::0:1.79769e+308
password_encryption=one:md5|scram-sha-256 plan_cache_mode=one:auto|force_generic_plan|force_custom_plan
port=integer::1:65535 post_auth_delay=integer:s:0:2147 pre_auth_delay=integer:s:0:60 primary_conninfo=text
primary_slot_name=text promote_trigger_file=text quote_all_identifiers=bool random_page_cost=real::0:1.79769e+308
recovery_end_command=text recovery_init_sync_method=one:fsync|syncfs recovery_min_apply_delay=integer:ms:0:2147483647
recovery_prefetch=one:off|on|try recovery_target=text recovery_target_action=one:pause|promote|shutdown
recovery_target_inclusive=bool recovery_target_lsn=text recovery_target_name=text recovery_target_time=text
recovery_target_timeline=text recovery_target_xid=text recursive_worktable_factor=real::0.001:1e+06
remove_temp_files_after_crash=bool restart_after_crash=bool restore_command=text restrict_nonsystem_relation_kind=text
row_security=bool search_path=text seq_page_cost=real::0:1.79769e+308 session_preload_libraries=text
session_replication_role=one:origin|replica|local shared_buffers=integer:8kB:16:1073741823
shared_memory_type=one:sysv|mmap shared_preload_libraries=text ssl=bool ssl_ca_file=text ssl_cert_file=text
ssl_ciphers=text ssl_crl_dir=text ssl_crl_file=text ssl_dh_params_file=text ssl_ecdh_curve=text ssl_key_file=text
ssl_max_protocol_version=one:|TLSv1|TLSv1.1|TLSv1.2|TLSv1.3 ssl_min_protocol_version=one:TLSv1|TLSv1.1|TLSv1.2|TLSv1.3
ssl_passphrase_command=text ssl_passphrase_command_supports_reload=bool ssl_prefer_server_ciphers=bool
standard_conforming_strings=bool statement_timeout=integer:ms:0:2147483647
stats_fetch_consistency=one:none|cache|snapshot superuser_reserved_connections=integer::0:262143
synchronize_seqscans=bool synchronous_commit=one:local|remote_write|remote_apply|on|off synchronous_standby_names=text
syslog_facility=one:local0|local1|local2|local3|local4|local5|local6|local7 syslog_ident=text
syslog_sequence_numbers=bool syslog_split_messages=bool tcp_keepalives_count=integer::0:2147483647
tcp_keepalives_idle=integer:s:0:2147483647 tcp_keepalives_interval=integer:s:0:2147483647
tcp_user_timeout=integer:ms:0:2147483647 temp_buffers=integer:8kB:100:1073741823
temp_file_limit=integer:kB:-1:2147483647 temp_tablespaces=text timezone_abbreviations=text trace_notify=bool
trace_recovery_messages=one:debug5|debug4|debug3|debug2|debug1|log|notice|warning|error trace_sort=bool
track_activities=bool track_activity_query_size=integer:B:100:1048576 track_commit_timestamp=bool track_counts=bool
track_functions=one:none|pl|all track_io_timing=bool track_wal_io_timing=bool transaction_deferrable=bool
transaction_isolation=one:serializable|repeatable~read|read~committed|read~uncommitted transaction_read_only=bool
transform_null_equals=bool unix_socket_directories=text unix_socket_group=text unix_socket_permissions=integer::0:511
update_process_title=bool vacuum_cost_delay=real:ms:0:100 vacuum_cost_limit=integer::1:10000
vacuum_cost_page_dirty=integer::0:10000 vacuum_cost_page_hit=integer::0:10000 vacuum_cost_page_miss=integer::0:10000
vacuum_defer_cleanup_age=integer::0:1000000 vacuum_failsafe_age=integer::0:2100000000
vacuum_freeze_min_age=integer::0:1000000000 vacuum_freeze_table_age=integer::0:2000000000
vacuum_multixact_failsafe_age=integer::0:2100000000 vacuum_multixact_freeze_min_age=integer::0:1000000000
vacuum_multixact_freeze_table_age=integer::0:2000000000 wal_buffers=integer:8kB:-1:262143
wal_compression=one:pglz|lz4|zstd|on|off wal_consistency_checking=text
wal_decode_buffer_size=integer:B:65536:1073741823 wal_init_zero=bool wal_keep_size=integer:MB:0:2147483647
wal_level=one:minimal|replica|logical wal_log_hints=bool wal_receiver_create_temp_slot=bool
wal_receiver_status_interval=integer:s:0:2147483 wal_receiver_timeout=integer:ms:0:2147483647 wal_recycle=bool
wal_retrieve_retry_interval=integer:ms:1:2147483647 wal_sender_timeout=integer:ms:0:2147483647
wal_skip_threshold=integer:kB:0:2147483647 wal_sync_method=one:fsync|fdatasync|open_sync|open_datasync
wal_writer_delay=integer:ms:1:10000 wal_writer_flush_after=integer:8kB:0:2147483647 work_mem=integer:kB:64:2147483647
xmlbinary=one:base64|hex xmloption=one:content|document zero_damaged_pages=bool
`;

/** The parameters of PostgreSQL 15 without extensions, by name in lower case. */
export const knownParameters: ReadonlyMap<string, ParameterType> = new Map(
  table
    .trim()
    .split(/\s+/)
    .map((row) => {
      const [name = '', kind = ''] = row.split('=');
      return [name, typeOf(kind)];
    }),
);

function typeOf(kind: string): ParameterType {
  const [type, ...rest] = kind.split(':');
  if (type === 'one') return { type, of: rest.join('').replaceAll('~', ' ').split('|') };
  if (type !== 'integer' && type !== 'real') return { type: type === 'bool' ? 'bool' : 'text' };
  const [unit = '', least, most] = rest;
  return { type, unit, least: Number(least), most: Number(most) };
}
