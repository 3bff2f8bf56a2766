"""The example, with faults: a file WORKER.FAULT in the folder TRIGGERS makes that worker's rank have it."""

import os
import sys
import time

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "example"))

import train  # noqa: E402

from reconstruct_training import Trainer  # noqa: E402

WORKER = os.environ["RECONSTRUCT_WORKER"]
FAILS_AT = int(os.environ.get("FAILS_AFTER_COMMIT_AT", "0"))
# Once.
failures = [False, True]


def has(fault, once=False):
    path = os.path.join(os.environ["TRIGGERS"], f"{WORKER}.{fault}")
    if not os.path.exists(path):
        return False
    if once:
        os.unlink(path)
    return True


def batches(world, step):
    for batch in train.batches(world, step):
        while has("sleeps-in-data"):
            time.sleep(0.05)
        yield (step, *batch)
        step += 1


def step(model, optimizer, batch):
    number, *batch = batch
    while has("sleeps-in-compute"):
        time.sleep(0.05)
    if has("raises", once=True):
        raise ArithmeticError("the program is wrong")
    if has("slow"):
        time.sleep(0.05)
    if os.environ.get("NAN_AT") == str(number + 1):
        batch[0] = batch[0] * float("nan")
    loss = train.step(model, optimizer, batch)
    # All lose their peers when the optimizer has stepped and the step is not over.
    if number + 1 == FAILS_AT and failures.pop():
        raise RuntimeError("Connection closed by peer")
    return loss


Trainer(train.build, step, batches, steps=int(os.environ["STEPS"])).run()
