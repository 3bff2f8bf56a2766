"""The example of the image, with faults. A file in /tmp gives the rank of its Pod a fault, once. A variable gives one rank a
fault at a step, each time."""

import math
import os
import sys
import time

sys.path.insert(0, "/app")
import train  # noqa: E402

from reconstruct_training import Trainer  # noqa: E402

PAUSE = float(os.environ.get("STEP_PAUSE", "0"))
FAILS_AT, NAN_AT, EXITS_AT = (int(os.environ.get(name, "0")) for name in ("FAILS_AT", "NAN_AT", "EXITS_AT"))


def has(fault):
    try:
        os.unlink(f"/tmp/{fault}")
    except FileNotFoundError:
        return False
    return True


def batches(world, step):
    for batch in train.batches(world, step):
        if has("sleep"):
            time.sleep(3600)
        step += 1
        yield (world.rank, step, *batch)


def step(model, optimizer, batch):
    rank, number, inputs, sums = batch
    if rank == 1 and number == FAILS_AT:
        raise ArithmeticError("the program is wrong")
    if rank == 1 and number == EXITS_AT:
        os._exit(0)
    if has("nan") or (rank == 0 and number == NAN_AT):
        inputs = inputs * math.nan
    loss = train.step(model, optimizer, (inputs, sums))
    print(f"STEP {number} {rank} {time.time():.3f} {float(loss):.6f}", flush=True)
    if not os.path.exists("/tmp/hurry"):
        time.sleep(PAUSE)
    return loss


Trainer(train.build, step, batches, steps=int(os.environ["STEPS"])).run()
