"""A program that knows nothing of this project. It fails when somebody creates /tmp/exit."""

import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
model = DistributedDataParallel(torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1, int(os.environ["STEPS"]) + 1):
    if os.path.exists("/tmp/exit"):
        sys.exit("told to fail")
    inputs = torch.randn(64, 8)
    loss = torch.nn.functional.mse_loss(model(inputs), inputs.sum(1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"STEP {step} {rank} {time.time():.3f} {float(loss):.6f}", flush=True)
    time.sleep(0.2)
