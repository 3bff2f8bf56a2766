"""Checkpoints in a folder: whole or not there, and only of the newest generation that wrote there.

A checkpoint is a file in the safetensors format, whose metadata holds what is no tensor. It is written beside its
place, flushed to the disk and renamed.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import re
import zlib

import torch

from . import states

NAME = re.compile(r"step-(\d+)\.safetensors$")
CHUNK = 64 << 20
_SHORT = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "C64": torch.complex64,
    "I64": torch.int64, "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool,
}  # fmt: skip
_SHORT.update({
    short: getattr(torch, name)
    for short, name in (("F8_E4M3", "float8_e4m3fn"), ("F8_E5M2", "float8_e5m2"))
    if hasattr(torch, name)
})
_LONG = {dtype: short for short, dtype in _SHORT.items()}


class Fenced(Exception):
    """A newer generation writes to this folder."""


class Torn(Exception):
    """A file is no whole checkpoint."""


class Checkpoints:
    """Checkpoints of one folder. One thread at a time writes."""

    def __init__(self, folder, keep, job=""):
        self._folder = folder
        self._keep = keep
        self._job = job
        os.makedirs(folder, exist_ok=True)

    def steps(self):
        """Returns the steps of the files that have the length of a whole checkpoint, in rising order."""
        return sorted(self._heads())

    def newest(self, before=None):
        """Returns (line, step) of the newest checkpoint, or None. `before` is a step that it must be older than."""
        heads = [(int(head["line"]), step) for step, head in self._heads().items() if before is None or step < before]
        return max(heads, default=None)

    def claim(self, generation):
        """Makes this generation the only one that writes here.

        @throws Fenced if a newer generation of this job has claimed the folder
        """
        with self._locked() as (job, newest):
            if job == self._job and newest > generation:
                raise Fenced(f"generation {newest} writes to {self._folder}, this is generation {generation}")
            _write_durably(self._path("claim.json"), json.dumps([self._job, generation]).encode())
            for name in os.listdir(self._folder):
                if name.endswith(".partial"):
                    os.unlink(self._path(name))

    def save(self, step, line, generation, skeleton, tensors):
        """Writes a checkpoint and deletes the oldest beyond the number kept.

        @throws Fenced if a newer generation or another job has claimed the folder
        """
        partial = self._path(f"step-{step:012}.{generation}.{os.getpid()}.partial")
        head = {"step": str(step), "line": str(line), "generation": str(generation), "state": json.dumps(skeleton)}
        try:
            _write(partial, head, tensors)
            with self._locked() as (job, newest):
                if job != self._job or newest > generation:
                    raise Fenced(f"generation {newest} writes to {self._folder}, this is generation {generation}")
                os.rename(partial, self._of(step))
                _flush_folder(self._folder)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(partial)
            raise
        # Those of a line that was left are older, whatever their step.
        lines = sorted((int(head["line"]), each) for each, head in self._heads().items())
        for _, old in lines[: -self._keep]:
            os.unlink(self._of(old))

    def load(self, before=None):
        """Returns (step, line, state) of the newest checkpoint that is whole, or None."""
        while True:
            found = self.newest(before)
            if found is None:
                return None
            _, step = found
            try:
                head, tensors = _read(self._of(step))
                return step, int(head["line"]), states.put_together(json.loads(head["state"]), tensors)
            except Torn:
                before = step

    def written_at(self, step):
        """Returns when a checkpoint was written, in seconds since 1970."""
        return round(os.stat(self._of(step)).st_mtime, 3)

    def forget_after(self, step):
        """Deletes the checkpoints of later steps: a rollback has left them behind."""
        for later in self.steps():
            if later > step:
                os.unlink(self._of(later))

    def _heads(self):
        heads = {}
        for name in os.listdir(self._folder):
            found = NAME.fullmatch(name)
            if found:
                with contextlib.suppress(Torn, FileNotFoundError), open(self._path(name), "rb") as file:
                    heads[int(found[1])] = _head(file)[0]["__metadata__"]
        return heads

    def _of(self, step):
        return self._path(f"step-{step:012}.safetensors")

    def _path(self, name):
        return os.path.join(self._folder, name)

    @contextlib.contextmanager
    def _locked(self):
        """Yields the job and the generation that claimed the folder last, which cannot change meanwhile."""
        with open(self._path(".lock"), "a", encoding="ascii") as lock:
            # Closing the file releases it.
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                with open(self._path("claim.json"), encoding="utf-8") as file:
                    claim = json.load(file)
            except FileNotFoundError:
                claim = (self._job, 0)
            yield claim


def _write(path, metadata, tensors):
    # Largest elements first: then each tensor begins at a multiple of the size of its elements.
    order = sorted(range(len(tensors)), key=lambda index: -tensors[index].element_size())
    head, offset = {}, 0
    for index in order:
        tensor = tensors[index]
        size = tensor.numel() * tensor.element_size()
        if tensor.dtype not in _LONG:
            raise states.Unstorable(f"a checkpoint cannot hold tensors of type {tensor.dtype}")
        head[str(index)] = {
            "dtype": _LONG[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, offset + size],
        }  # fmt: skip
        offset += size
    with open(path, "wb", buffering=0) as file:
        # The checksum is known last and has a fixed length: the head is written twice.
        file.write(_packed(head, metadata, 0))
        checksum = 0
        for index in order:
            for chunk in _chunks(tensors[index]):
                checksum = zlib.crc32(chunk, checksum)
                _write_all(file, chunk)
        file.seek(0)
        file.write(_packed(head, metadata, checksum))
        os.fsync(file.fileno())


def _packed(head, metadata, checksum):
    text = json.dumps({"__metadata__": {**metadata, "crc32": f"{checksum:08x}"}, **head}).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def _read(path):
    try:
        with open(path, "rb", buffering=0) as file:
            head, _ = _head(file)
            metadata = head.pop("__metadata__")
            tensors, checksum = [None] * len(head), 0
            for name, about in sorted(head.items(), key=lambda item: item[1]["data_offsets"]):
                tensor = torch.empty(about["shape"], dtype=_SHORT[about["dtype"]])
                for chunk in _chunks(tensor):
                    if _read_all(file, chunk) < len(chunk):
                        raise Torn(f"{path} ends early")
                    checksum = zlib.crc32(chunk, checksum)
                tensors[int(name)] = tensor
    except (OSError, KeyError, IndexError, ValueError) as error:
        raise Torn(f"{path} cannot be read: {error}") from error
    if metadata["crc32"] != f"{checksum:08x}":
        raise Torn(f"{path} has another checksum than when it was written")
    return metadata, tensors


def _head(file):
    """Returns the head of a checkpoint and where its data begins."""
    try:
        length = int.from_bytes(file.read(8), "little")
        size = os.fstat(file.fileno()).st_size
        if not 2 <= length <= size:
            raise Torn(f"{file.name} has no head")
        head = json.loads(file.read(length))
        end = max((each["data_offsets"][1] for name, each in head.items() if name != "__metadata__"), default=0)
        int(head["__metadata__"]["line"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Torn(f"{file.name} has no head") from error
    if size != 8 + length + end:
        raise Torn(f"{file.name} has {size} bytes, not {8 + length + end}")
    return head, 8 + length


def _chunks(tensor):
    """Yields the memory of a contiguous tensor on the host. Writing and reading it release Python's lock."""
    size = tensor.numel() * tensor.element_size()
    if size:
        memory = memoryview((ctypes.c_char * size).from_address(tensor.data_ptr())).cast("B")
        for start in range(0, size, CHUNK):
            yield memory[start : start + CHUNK]


def _write_all(file, chunk):
    while len(chunk):
        chunk = chunk[file.write(chunk) :]


def _read_all(file, chunk):
    total = 0
    while total < len(chunk):
        count = file.readinto(chunk[total:])
        if not count:
            break
        total += count
    return total


def _write_durably(path, content):
    with open(f"{path}.new", "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.rename(f"{path}.new", path)
    _flush_folder(os.path.dirname(path))


def _flush_folder(folder):
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
