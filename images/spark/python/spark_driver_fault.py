"""Makes the exception that ends a driver the termination message of its container.

Without it, the message is the end of the log, where Spark tells of its own end. Python loads this module at its start by a
.pth file. It does nothing outside a driver.
"""

import os
import sys

LIMIT = 2048  # bytes: as long as the end of a log would be. The begin of an exception's text says more than its end.
PATH = os.environ.get("SPARK_TERMINATION_LOG", "/dev/termination-log")


def tell(kind, error, trace):
    """Writes the exception, and has Python print it with its trace."""
    try:
        import traceback

        text = "".join(traceback.format_exception_only(kind, error))
        with open(PATH, "wb") as file:
            file.write(text.encode(errors="replace")[:LIMIT])
    except Exception:  # what must be seen is the other one
        pass
    sys.__excepthook__(kind, error, trace)


if "SPARK_DRIVER_BIND_ADDRESS" in os.environ:
    sys.excepthook = tell
