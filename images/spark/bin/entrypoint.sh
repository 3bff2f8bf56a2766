#!/bin/bash
# Runs a driver or an executor of Apache Spark, or any other command, below an init process that hands on signals and
# exit codes. The arguments and variables are those that Spark gives to the image of its project.
set -euo pipefail

home=${SPARK_HOME:-/opt/spark}
run=(${SPARK_INIT-/usr/bin/tini -s --})

# Hadoop asks for the name of the user, and fails if the user has none.
name_user() {
  local library=${NSS_WRAPPER_LIBRARY:-libnss_wrapper.so} file=${TMPDIR:-/tmp}/passwd
  getent passwd "$(id -u)" >/dev/null && return
  if ! printf 'spark:x:%s:%s:spark:%s:/usr/sbin/nologin\n' "$(id -u)" "$(id -g)" "${HOME:-/tmp}" 2>/dev/null >"$file"; then
    echo "user $(id -u) has no name and $file cannot be written: mount an emptyDir there, or run as user 185" >&2
    return
  fi
  export NSS_WRAPPER_PASSWD=$file NSS_WRAPPER_GROUP=/etc/group LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD}
}

driver() {
  local address=${SPARK_DRIVER_BIND_ADDRESS:?must be the IP address of the Pod}
  exec "${run[@]}" "$home/bin/spark-submit" \
    --conf "spark.driver.bindAddress=$address" --conf "spark.executorEnv.SPARK_DRIVER_POD_IP=$address" \
    --deploy-mode client "$@"
}

executor() {
  local options=() path="$home/jars/*${SPARK_EXTRA_CLASSPATH:+:$SPARK_EXTRA_CLASSPATH}" name number=0
  while name=SPARK_JAVA_OPT_$number && [[ -n ${!name+set} ]]; do
    options+=("${!name}") number=$((number + 1))
  done
  path=${SPARK_CONF_DIR:-$home/conf}:${HADOOP_CONF_DIR:+$HADOOP_CONF_DIR:}${SPARK_CLASSPATH:+$SPARK_CLASSPATH:}$path
  exec "${run[@]}" "${JAVA_HOME:+$JAVA_HOME/bin/}java" "${options[@]}" \
    "-Xms$SPARK_EXECUTOR_MEMORY" "-Xmx$SPARK_EXECUTOR_MEMORY" \
    -cp "$path${SPARK_DIST_CLASSPATH:+:$SPARK_DIST_CLASSPATH}" \
    org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend \
    --driver-url "$SPARK_DRIVER_URL" --executor-id "$SPARK_EXECUTOR_ID" --cores "$SPARK_EXECUTOR_CORES" \
    --app-id "$SPARK_APPLICATION_ID" --hostname "$SPARK_EXECUTOR_POD_IP" \
    --resourceProfileId "$SPARK_RESOURCE_PROFILE_ID" --podName "$SPARK_EXECUTOR_POD_NAME" "$@"
}

name_user
case ${1:-} in
  driver | executor) "$@" ;;
  *) exec "${run[@]}" "${@:-bash}" ;;
esac
