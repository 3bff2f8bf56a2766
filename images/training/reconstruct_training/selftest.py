"""Tries the module on this machine: `python3 -m reconstruct_training.selftest`.

Prints a JSON object with the seconds that each part took, and exits with 1 if one failed. With a GPU, it uses it:
several ranks share one over gloo, since NCCL refuses that.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback

import torch
import torch.distributed as dist

from . import gpu, states
from .checkpoints import Checkpoints
from .drill import Drill
from .snapshot import Snapshots
from .store import store_at

CUDA = torch.cuda.is_available()
DEVICE = torch.device("cuda:0" if CUDA else "cpu")


def program():
    """Trains a model of PARAMETERS parameters on random numbers; a file in TRIGGERS makes a rank's CUDA fail."""
    from . import Trainer

    width = max(16, int((int(os.environ["PARAMETERS"]) / 4) ** 0.5))

    def build(device):
        model = torch.nn.Sequential(*[torch.nn.Linear(width, width, device=device) for _ in range(4)])
        return model, torch.optim.AdamW(model.parameters(), lr=1e-4)

    def batches(world, step):
        while True:
            yield torch.randn(32, width, device=world.device)

    def step(model, optimizer, batch):
        trigger = os.path.join(os.environ["TRIGGERS"], os.environ["RECONSTRUCT_WORKER"] + ".assert")
        if os.path.exists(trigger):
            os.unlink(trigger)
            batch[torch.tensor([10**6], device=batch.device)].sum().item()
        loss = (model(batch) - batch).square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        time.sleep(0.01)
        return loss

    Trainer(build, step, batches, steps=10**6).run()


def job(parameters, workers=3, spares=0, **environ):
    folder = tempfile.mkdtemp(prefix="selftest-")
    environ = {"PARAMETERS": str(parameters), "TRIGGERS": folder, "RECONSTRUCT_EVERY": "1000000", **environ}
    return Drill(["-m", "reconstruct_training.selftest", "--program"], workers, spares, folder, environ)


def trained(generation):
    def is_so(told):
        rows = [row for row in told["ranks"] if not row["behind"] and row["rank"] is not None]
        return told["generation"] == generation and rows and all(row["loss"] is not None for row in rows)

    return is_so


def kill(parameters, spares):
    """Kills one of three ranks. Returns the seconds until every rank has done a step again, and the steps lost."""
    with job(parameters, spares=spares) as drill:
        drill.until(trained(1), 120)
        drill.until(lambda told: spares == 0 or any(row["state"] == "ready" for row in told["ranks"]), 120)
        time.sleep(1)
        survivor = drill.rank("w0")["pid"]
        began = time.monotonic()
        drill.signal("w1")
        drill.until(trained(2), 120)
        seconds = time.monotonic() - began
        log = drill.log("w0")
        left = int(log.split("Left generation 1 after step ")[1].split(":")[0])
        at = int(log.split("Joined generation 2")[1].splitlines()[0].rsplit(" ", 1)[1])
        assert drill.rank("w0")["pid"] == survivor, "the survivor is another process"
        joined = float(log.split("Joined generation 2")[1].split(" in ")[1].split(" s")[0])
        return {"seconds": round(seconds, 2), "joined": joined, "stepsLost": max(0, left - at)}


def restart_after_cuda_error(parameters):
    """Returns the seconds from a device-side assert of one rank to the next step of all."""
    with job(parameters, 2) as drill:
        drill.until(trained(1), 120)
        began = time.monotonic()
        with open(drill.file("w1.assert"), "w", encoding="ascii"):
            pass
        drill.until(trained(2), 120)
        seconds = time.monotonic() - began
        # The ranks share a GPU here, so both launchers hear of its Xid, and the other one kills its own process too.
        faults = drill.job()["faults"]
        known = (("cuda", "process", 70), ("xid", "process", 70), ("xid", "process", -9), ("exit", "process", 1))
        assert faults and all((one["kind"], one["grade"], one["exitCode"]) in known for one in faults), faults
        fault = faults[0]
        told = {"kinds": [one["kind"] for one in faults], "xid": fault["xid"], "message": fault["message"][:80]}
        return {"seconds": round(seconds, 2), **told}


def snapshot(size):
    """Copies a state of `size` bytes and writes it, beside a computation. Returns the seconds of each part."""
    count = max(1, size // (64 << 20))
    state = {str(index): torch.randn(16 << 20, device=DEVICE) for index in range(count)}
    snapshots = Snapshots(DEVICE)
    told = {}

    def work(limit):
        """Returns the median seconds of a step of computation in so many seconds."""
        a = torch.randn(4096, 4096, device=DEVICE) if CUDA else torch.randn(512, 512)
        taken, end = [], time.monotonic() + limit
        while time.monotonic() < end:
            began = time.monotonic()
            for _ in range(4):
                a @ a
            if CUDA:
                torch.cuda.synchronize()
            taken.append(time.monotonic() - began)
        return sorted(taken)[len(taken) // 2]

    began = time.monotonic()
    snapshots.take(state).wait()
    told["firstWithItsBuffers"] = time.monotonic() - began
    began = time.monotonic()
    taken = snapshots.take(state)
    told["untilTrainingGoesOn"] = time.monotonic() - began
    assert taken.wait()
    told["copied"] = time.monotonic() - began
    told["step"] = work(2)
    import threading

    folder = tempfile.mkdtemp(prefix="selftest-")
    checkpoints = Checkpoints(folder, 2)

    def write():
        began = time.monotonic()
        checkpoints.save(1, 1, 1, taken.skeleton, taken.tensors)
        told["written"] = time.monotonic() - began

    writer = threading.Thread(target=write)
    writer.start()
    told["stepWhileWriting"] = work(1)
    writer.join()
    began = time.monotonic()
    _, _, loaded = checkpoints.load()
    told["loaded"] = time.monotonic() - began
    assert all(torch.equal(loaded[name], state[name].cpu()) for name in state)
    began = time.monotonic()
    assert all(map(bool, states.finite(state.values())))
    told["finite"] = time.monotonic() - began
    state["0"][5] = float("nan")
    assert not snapshots.take(state).wait(), "a NaN was not found"
    os.unlink(checkpoints._of(1))
    return {name: round(value, 4) for name, value in told.items()}


def nccl_peer_that_never_comes():
    """Returns the seconds after which a group whose second member never comes gives up, and whether CUDA still works."""
    os.environ.update(TORCH_NCCL_USE_COMM_NONBLOCKING="1", TORCH_NCCL_NONBLOCKING_TIMEOUT="5")
    store = store_at("127.0.0.1", 0, is_master=True)
    began = time.monotonic()
    try:
        # Being non-blocking, the first returns at once: the collective waits for the peer.
        timeout = datetime.timedelta(seconds=5)
        dist.init_process_group("nccl", store=store, rank=0, world_size=2, timeout=timeout, device_id=DEVICE)
        made = time.monotonic() - began
        dist.all_reduce(torch.ones(4, device=DEVICE))
        torch.cuda.synchronize()
    except Exception as error:
        seconds = time.monotonic() - began
        works = float((torch.ones(4, device=DEVICE) * 2).sum()) == 8.0
        return {"made": round(made, 3), "seconds": round(seconds, 2), "cudaWorks": works, "message": str(error)[:100]}
    raise AssertionError("a collective without the second member succeeded")


def nccl_of_one():
    """A job of one rank uses NCCL, since its GPU is its own. Returns the seconds of two generations."""
    with job(10**6, 1) as drill:
        drill.until(trained(1), 120)
        drill.begin(planned=True)
        drill.until(trained(2), 120)
        log = drill.log("w0")
        return {f"generation{each}": float(log.split(f"Joined generation {each}")[1].split(" in ")[1].split(" s")[0]) for each in (1, 2)}


def nvml():
    watch = gpu.Watch(gpu.Nvml())
    return {"faults": [fault.message for fault in watch.faults(0)], "gpu": watch.gpu_of(0)}


def in_process_of_its_own(name):
    """CUDA and NCCL are left behind with the process."""
    done = subprocess.run(
        [sys.executable, "-m", "reconstruct_training.selftest", "--part", name], stdout=subprocess.PIPE, timeout=90,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=True,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def parts(parameters, size):
    yield "killedWithSpare", lambda: kill(parameters, 1)
    yield "killedWithoutSpare", lambda: kill(parameters, 0)
    yield "snapshot", lambda: snapshot(size)
    if CUDA:
        yield "cudaError", lambda: restart_after_cuda_error(10**6)
        yield "nvml", nvml
        yield "ncclPeerThatNeverComes", lambda: in_process_of_its_own("nccl_peer_that_never_comes")
        yield "ncclOfOne", nccl_of_one


def main():
    parser = argparse.ArgumentParser(prog="reconstruct_training.selftest", description=__doc__.splitlines()[0])
    parser.add_argument("--parameters", type=int, default=50_000_000 if CUDA else 200_000, help="of the model")
    parser.add_argument("--size", type=int, default=(4 << 30) if CUDA else (64 << 20), help="bytes of the snapshot")
    parser.add_argument("--only", default="", help="name of one part")
    parser.add_argument("--program", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--part", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.program:
        return program()
    if options.part:
        print(json.dumps(globals()[options.part]()), flush=True)
        os._exit(0)
    told = {"torch": torch.__version__, "device": torch.cuda.get_device_name() if CUDA else "cpu"}
    failed = False
    for name, part in parts(options.parameters, options.size):
        if options.only in ("", name):
            try:
                told[name] = part()
            except Exception:
                failed, told[name] = True, traceback.format_exc()[-3000:]
            print(json.dumps({name: told[name]}), flush=True)
    print(json.dumps(told))
    sys.exit(failed)


if __name__ == "__main__":
    main()
