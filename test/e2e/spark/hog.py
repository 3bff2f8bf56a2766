"""Takes memory, `hog.py WHERE MEBIBYTES`, and then ends well: WHERE is driver-python, driver-java, executor-python or
executor-java. The kernel kills what Python takes too much of; what Java takes is limited by the heap."""

import sys

from pyspark.sql import SparkSession

where, mebibytes = sys.argv[1], int(sys.argv[2])
context = SparkSession.builder.getOrCreate().sparkContext
print(f"counted {context.parallelize(range(100), 2).count()}, takes {mebibytes} MiB in {where}", flush=True)


def take(_=0):
    held = [bytearray(b"x") * (1 << 20) for _ in range(mebibytes)]  # written, so that each page is there
    return len(held)


if where == "driver-python":
    print(f"took {take()}")
elif where == "executor-python":
    print(f"took {context.parallelize([0], 1).map(take).sum()}")
elif where == "driver-java":
    held = [context._jvm.java.nio.ByteBuffer.allocate(1 << 20) for _ in range(mebibytes)]
    print(f"took {len(held)}")
else:  # one value of that length, so that it cannot be spilled to disk
    text = f"repeat(cast(id AS string), {mebibytes << 20})"
    length = SparkSession.builder.getOrCreate().range(0, 1, 1, 1).selectExpr(f"length({text})")
    print(f"took {length.first()[0] >> 20}")
context.stop()
