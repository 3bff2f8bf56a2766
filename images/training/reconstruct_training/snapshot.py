"""A copy of a state in the memory of the host, taken beside the training."""

import torch

from . import states


class Snapshots:
    """Takes one snapshot at a time. With CUDA, its buffers are pinned and are used again by the next one."""

    def __init__(self, device):
        self._cuda = device.type == "cuda"
        self._stream = torch.cuda.Stream(device) if self._cuda else None
        self._buffers = []
        self._copied = None

    def take(self, state, still=()):
        """Begins to copy the state. Returns the snapshot, of which `Snapshot.wait` says when it is whole.

        The tensors in `still` (by identity) may change before `before_change` is called, and are copied first.
        """
        skeleton, tensors = states.taken_apart(state)
        if not self._cuda:
            copies = [tensor.clone(memory_format=torch.contiguous_format) for tensor in tensors]
            return Snapshot(skeleton, copies, states.finite(copies), None)
        moving = {each.data_ptr() for each in still}
        sources = [tensor.clone() if tensor.data_ptr() in moving else tensor for tensor in tensors]
        self._fit(sources)
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            for source, buffer in zip(sources, self._buffers):
                buffer.copy_(source, non_blocking=True)
                if source.is_cuda:
                    source.record_stream(self._stream)
            finite = [each.to("cpu", non_blocking=True) for each in states.finite(sources)]
            self._copied = torch.cuda.Event()
            self._copied.record()
        return Snapshot(skeleton, self._buffers, finite, self._copied)

    def before_change(self):
        """Makes the device wait, before it changes the state, until the snapshot has been copied."""
        if self._copied is not None:
            torch.cuda.current_stream().wait_event(self._copied)
            self._copied = None

    def _fit(self, tensors):
        about = [(tensor.shape, tensor.dtype) for tensor in tensors]
        if about != [(buffer.shape, buffer.dtype) for buffer in self._buffers]:
            self._buffers = [torch.empty(shape, dtype=dtype, pin_memory=True) for shape, dtype in about]


class Snapshot:
    def __init__(self, skeleton, tensors, finite, copied):
        self.skeleton = skeleton
        self.tensors = tensors
        self._finite = finite
        self._copied = copied

    def wait(self):
        """Waits until the copy is whole. Returns whether all of its numbers are finite."""
        if self._copied is not None:
            self._copied.synchronize()
        return all(bool(each) for each in self._finite)
