/** Metrics that dashboards of Kafka use, which the exporter of a broker has. */
export const brokerMetrics: readonly string[] = [
  'kafka_server_replicamanager_underreplicatedpartitions',
  'kafka_server_replicamanager_underminisrpartitioncount',
  'kafka_server_replicamanager_partitioncount',
  'kafka_server_replicamanager_leadercount',
  'kafka_server_replicamanager_isrshrinks_total',
  'kafka_server_brokertopicmetrics_messagesin_total',
  'kafka_server_brokertopicmetrics_bytesin_total',
  'kafka_server_brokertopicmetrics_bytesout_total',
  'kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent',
  'kafka_server_socket_server_metrics_connection_count',
  'kafka_network_socketserver_networkprocessoravgidle_percent',
  'kafka_network_requestmetrics_requests_total',
  'kafka_network_requestmetrics_totaltimems',
  'kafka_network_requestmetrics_totaltimems_count',
  'kafka_log_logflushstats_logflushrateandtimems_count',
  'jvm_memory_used_bytes',
  'jvm_gc_collection_seconds_count',
  'process_cpu_seconds_total',
];

/** Metrics that dashboards of Kafka use, which the exporter of a controller has. */
export const controllerMetrics: readonly string[] = [
  'kafka_controller_kafkacontroller_activecontrollercount',
  'kafka_controller_kafkacontroller_offlinepartitionscount',
  'kafka_controller_kafkacontroller_globaltopiccount',
  'kafka_controller_kafkacontroller_fencedbrokercount',
  'kafka_network_requestmetrics_requests_total',
  'kafka_server_raftmetrics_current_state',
  'kafka_server_raftmetrics_current_leader',
  'kafka_server_raftmetrics_high_watermark',
  'jvm_memory_used_bytes',
];
