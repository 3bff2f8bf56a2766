#!/bin/bash
# Runs a process of Apache Flink, or any other command. The first argument is that of the image of Flink's project:
# standalone-job, jobmanager or taskmanager. What follows goes to the process, such as `-D key=value`.
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

# Adds the settings of FLINK_PROPERTIES, in a folder of its own: the one of the settings may be mounted from a ConfigMap.
merge_properties() {
  [[ -n ${FLINK_PROPERTIES:-} ]] || return 0
  local merged=${TMPDIR:-/tmp}/flink-conf
  mkdir -p "$merged"
  cp -L "$FLINK_CONF_DIR"/* "$merged/"
  printf '\n%s\n' "$FLINK_PROPERTIES" >>"$merged/config.yaml"
  export FLINK_CONF_DIR=$merged
}

# Starts a class with the memory that Flink computes for its role. `exec`, so that signals and exit codes are Java's.
start() {
  local role=$1 class=$2 output line results=() lines=()
  shift 2
  output=$("$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto \
    -cp "$home/bin/bash-java-utils.jar:$(echo "$FLINK_LIB_DIR"/flink-dist-*.jar)" \
    org.apache.flink.runtime.util.bash.BashJavaUtils "GET_${role}_RESOURCE_PARAMS" --configDir "$FLINK_CONF_DIR" "$@") ||
    { echo "$output" >&2; exit 1; }
  mapfile -t lines <<<"$output"
  for line in "${lines[@]}"; do
    [[ $line == BASH_JAVA_UTILS_EXEC_RESULT:* ]] && results+=("${line#*:}")
  done
  # shellcheck disable=SC2086 # words, as Flink prints them
  exec "$java" ${results[0]} "${opened[@]}" ${FLINK_ENV_JAVA_OPTS:-} ${JVM_ARGS:-} \
    "-Dlog4j.configurationFile=file:$FLINK_CONF_DIR/log4j-console.properties" -cp "$FLINK_LIB_DIR/*" \
    "$class" --configDir "$FLINK_CONF_DIR" ${results[1]:-} "$@"
}

command=${1:-}
case $command in
  standalone-job | jobmanager | taskmanager) shift && merge_properties ;;
esac
case $command in
  standalone-job) start JM org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint "$@" ;;
  jobmanager) start JM org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint "$@" ;;
  taskmanager) start TM org.apache.flink.runtime.taskexecutor.TaskManagerRunner "$@" ;;
  *) exec "${@:-bash}" ;;
esac
