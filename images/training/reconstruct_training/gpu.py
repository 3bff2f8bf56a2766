"""What NVML tells about the GPUs of this container, and what follows from it.

NVML reports an Xid (a number in the driver's log) to every process that listens, also when another process caused it.
"""

PROGRAM = frozenset({13, 31, 43, 45, 68, 69, 109})
"""Xids of a fault of the program, such as an illegal access: the process is started again."""
DEVICE = frozenset({48, 63, 64, 74, 79, 92, 94, 95, 119, 120})
"""Xids of a fault of the device: the Pod is replaced, and its node avoided."""
ACTIONS = {0: "none", 1: "reset", 2: "reboot", 3: "drain", 4: "drain"}
"""NVML's recovery actions. Drain: finish what runs, then reset (4) or take the GPU out of service."""


def grade_of(xid):
    """Returns process, pod, or None for an Xid that asks for nothing."""
    if xid in PROGRAM:
        return "process"
    return "pod" if xid in DEVICE else None


class Fault:
    """A fault of one GPU. `number` is its Xid, or None if NVML's recovery action or its memory told."""

    def __init__(self, gpu, grade, number, message):
        self.gpu, self.grade, self.number, self.message = gpu, grade, number, message


class Watch:
    """Turns what a driver tells into faults, each once."""

    def __init__(self, driver):
        self._driver = driver
        self._told = set()

    def gpu_of(self, local):
        """Returns the GPU of a process, by its index in the worker."""
        gpus = self._driver.gpus()
        return gpus[local % len(gpus)]

    def faults(self, seconds):
        """Waits for at most so many seconds. Returns the faults since the last call."""
        found = []
        for gpu, xid in self._driver.events(seconds):
            grade = grade_of(xid)
            if grade:
                found.append(Fault(gpu, grade, xid, f"GPU {gpu} reported Xid {xid}"))
        for gpu in self._driver.gpus():
            for key, message in self._lasting(gpu):
                if (gpu, key) not in self._told:
                    self._told.add((gpu, key))
                    found.append(Fault(gpu, "pod", None, message))
        return found

    def _lasting(self, gpu):
        action = self._driver.action(gpu)
        if action != "none":
            yield "action", f"GPU {gpu} needs the recovery action {action}"
        if self._driver.row_remap_failed(gpu):
            yield "rows", f"GPU {gpu} could not remap a row of its memory"
        if self._driver.uncorrected_errors(gpu):
            yield "ecc", f"GPU {gpu} has uncorrected memory errors"


class Nvml:
    """NVML through nvidia-ml-py. GPUs are named by their UUIDs.

    @throws Exception if the package, the driver or a GPU is missing
    """

    def __init__(self):
        import pynvml

        self._nvml = pynvml
        pynvml.nvmlInit()
        self._handles = {}
        self._events = pynvml.nvmlEventSetCreate()
        wanted = pynvml.nvmlEventTypeXidCriticalError
        for index in range(pynvml.nvmlDeviceGetCount()):
            handle = pynvml.nvmlDeviceGetHandleByIndex(index)
            self._handles[pynvml.nvmlDeviceGetUUID(handle)] = handle
            pynvml.nvmlDeviceRegisterEvents(handle, wanted, self._events)
        if not self._handles:
            raise RuntimeError("this container has no GPU")

    def gpus(self):
        return list(self._handles)

    def events(self, seconds):
        """Waits for an event. Yields the GPU and the Xid of it and of those that came with it."""
        while True:
            try:
                event = self._nvml.nvmlEventSetWait_v2(self._events, int(seconds * 1000))
            except self._nvml.NVMLError_Timeout:
                return
            seconds = 0
            yield self._nvml.nvmlDeviceGetUUID(event.device), int(event.eventData)

    def action(self, gpu):
        field = getattr(self._nvml, "NVML_FI_DEV_GET_GPU_RECOVERY_ACTION", None)
        if field is None:
            return "none"
        (value,) = self._nvml.nvmlDeviceGetFieldValues(self._handles[gpu], [field])
        return ACTIONS.get(value.value.uiVal, "none") if value.nvmlReturn == 0 else "none"

    def row_remap_failed(self, gpu):
        return bool(self._asked("nvmlDeviceGetRemappedRows", gpu, (0, 0, 0, 0))[3])

    def uncorrected_errors(self, gpu):
        volatile, uncorrected = self._nvml.NVML_VOLATILE_ECC, self._nvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED
        return self._asked("nvmlDeviceGetTotalEccErrors", gpu, 0, uncorrected, volatile)

    def _asked(self, name, gpu, otherwise, *arguments):
        try:
            return getattr(self._nvml, name)(self._handles[gpu], *arguments)
        # A device without ECC or row remapping says so with an error.
        except self._nvml.NVMLError:
            return otherwise
