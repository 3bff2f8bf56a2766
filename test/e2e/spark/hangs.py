"""Never ends: `hangs.py python` and `hangs.py java` stop their context, and have a thread of Python or Java that holds the
process; `hangs.py running` computes for ever; `hangs.py open` does nothing, with its context open."""

import sys
import threading
import time

from pyspark.sql import SparkSession

how = sys.argv[1]
context = SparkSession.builder.getOrCreate().sparkContext
print(f"counted {context.parallelize(range(100), 2).count()}, hangs by {how}", flush=True)

if how == "running":
    context.parallelize([0], 1).map(lambda _: time.sleep(1_000_000)).count()
if how == "open":
    time.sleep(1_000_000)
if how == "python":
    threading.Thread(target=time.sleep, args=[1_000_000]).start()
if how == "java":
    context._jvm.java.util.Timer("held", False)  # not a daemon: Java waits for it
context.stop()
print("stopped", flush=True)
