"""Ends as its arguments say, by the attempt that it is: `fails.py raise exit:2 succeed` raises an exception in attempt 1,
exits with code 2 in attempt 2, and succeeds in the third and in any later one. The attempt is the number before `-driver` in the
name of the Pod.

raise[:TEXT]  an exception of this text        exit:CODE  that exit code          kill  the process is killed
task[:TEXT]   an exception in each of the executors' tasks                        succeed  a result, and exit code 0
"""

import os
import signal
import socket
import sys

from pyspark.sql import SparkSession

attempt = int(socket.gethostname().split("-")[-2])
ends = sys.argv[1:]
how, _, detail = ends[min(attempt, len(ends)) - 1].partition(":")

context = SparkSession.builder.getOrCreate().sparkContext
print(f"attempt {attempt} counted {context.parallelize(range(100), 2).count()}, ends by {how} {detail}", flush=True)


def fail(_):
    raise ValueError(detail or "a task fails")


if how == "raise":
    raise ValueError(detail or "the program fails")
if how == "task":
    context.parallelize([0], 1).map(fail).count()
if how == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
context.stop()
sys.exit(int(detail) if how == "exit" else 0)
