"""Tells a witness of each step, so that two live drivers are seen: `writes.py http://HOST:PORT STEPS SECONDS`. Each step is a
task of an executor of SECONDS. Between steps it posts {"driver": POD, "uid": UID, "step": N}; the UID is drawn when the program
starts, so that no two processes share one. It ends with exit code 3 if the witness refuses a step."""

import json
import socket
import sys
import time
import urllib.error
import urllib.request
import uuid

from pyspark.sql import SparkSession

witness, steps, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
driver, uid = socket.gethostname(), str(uuid.uuid4())
context = SparkSession.builder.getOrCreate().sparkContext


def post(step, patience=60):
    """Posts until it is answered. A step that was answered may have been posted twice."""
    body = json.dumps({"driver": driver, "uid": uid, "step": step}).encode()
    request = urllib.request.Request(witness, body, {"Content-Type": "application/json"})
    end = time.monotonic() + patience
    while True:
        try:
            return urllib.request.urlopen(request, timeout=5).close()
        except urllib.error.HTTPError as error:
            print(f"step {step} is refused: {error.read().decode()}", flush=True)
            sys.exit(3)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


for step in range(1, steps + 1):
    context.parallelize([0], 1).map(lambda _: time.sleep(seconds)).count()
    post(step)
    print(f"step {step}", flush=True)
context.stop()
