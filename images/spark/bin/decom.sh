#!/bin/bash
# Tells the executor of this container to move its blocks away, and waits until it has ended. The kubelet runs it before it
# stops the container, if spark.decommission.enabled is set.
set -euo pipefail

for process in "${SPARK_PROCESSES:-/proc}"/[0-9]*; do
  name=
  read -r name 2>/dev/null <"$process/comm" || true
  [[ $name == java ]] || continue
  kill -s PWR "${process##*/}"
  while [[ -e $process ]]; do sleep 0.5; done
done
