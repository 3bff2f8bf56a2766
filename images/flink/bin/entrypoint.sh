#!/bin/bash
# Runs a process of Apache Flink, or any other command. The first argument is that of the image of Flink's project:
# standalone-job, jobmanager or taskmanager. What follows goes to the process, such as `-D key=value`. A line
# `key: value` of FLINK_PROPERTIES is one more such setting.
set -euo pipefail

home=${FLINK_HOME:-/opt/flink}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
export FLINK_LIB_DIR=${FLINK_LIB_DIR:-$home/lib} FLINK_PLUGINS_DIR=${FLINK_PLUGINS_DIR:-$home/plugins}
export FLINK_CONF_DIR=${FLINK_CONF_DIR:-$home/conf}

# What Flink does to classes of Java 17 by reflection.
opened=(
  --add-exports=java.base/sun.net.util=ALL-UNNAMED --add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED
  --add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED
  --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED
  --add-opens=java.base/java.io=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED
  --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.lang.reflect=ALL-UNNAMED
  --add-opens=java.base/java.text=ALL-UNNAMED --add-opens=java.base/java.time=ALL-UNNAMED
  --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.util.concurrent=ALL-UNNAMED
  --add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED
  --add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED
)

# Reads FLINK_PROPERTIES into `properties`, as arguments: the folder of the settings may be mounted from a ConfigMap.
properties=()
read_properties() {
  local line
  while IFS= read -r line; do
    [[ $line =~ ^[[:space:]]*([^#:[:space:]]+):[[:space:]]+(.*[^[:space:]])[[:space:]]*$ ]] || continue
    properties+=(-D "${BASH_REMATCH[1]}=${BASH_REMATCH[2]}")
  done <<<"${FLINK_PROPERTIES:-}"
}

# Computes the memory of a role into `memory`: the options of Java, then the arguments of the process.
memory=()
compute_memory() {
  local role=$1 output line
  shift
  output=$("$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
    -cp "$home/bin/bash-java-utils.jar:$(echo "$FLINK_LIB_DIR"/flink-dist-*.jar)" \
    org.apache.flink.runtime.util.bash.BashJavaUtils "GET_${role}_RESOURCE_PARAMS" --configDir "$FLINK_CONF_DIR" "$@") ||
    { echo "$output" >&2; exit 1; }
  while IFS= read -r line; do
    [[ $line != BASH_JAVA_UTILS_EXEC_RESULT:* ]] || memory+=("${line#*:}")
  done <<<"$output"
  [[ ${#memory[@]} == 2 ]] || { echo "Flink computed no memory: $output" >&2; exit 1; }
}

# Starts a class. `exec`, so that signals and exit codes are Java's.
start() {
  local role=$1 class=$2
  shift 2
  read_properties
  set -- "${properties[@]}" "$@"
  compute_memory "$role" "$@"
  # Both are words, as Flink prints them for a shell.
  # shellcheck disable=SC2086
  exec "$java" ${memory[0]} "${opened[@]}" ${FLINK_ENV_JAVA_OPTS:-} ${JVM_ARGS:-} \
    "-Dlog4j.configurationFile=file:$FLINK_CONF_DIR/log4j-console.properties" -cp "$FLINK_LIB_DIR/*" \
    "$class" --configDir "$FLINK_CONF_DIR" ${memory[1]} "$@"
}

case ${1:-} in
  standalone-job) start JM org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint "${@:2}" ;;
  jobmanager) start JM org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint "${@:2}" ;;
  taskmanager) start TM org.apache.flink.runtime.taskexecutor.TaskManagerRunner "${@:2}" ;;
  *) exec "${@:-bash}" ;;
esac
