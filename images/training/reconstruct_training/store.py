"""The rendezvous store, which outlives the processes that meet in it."""

from torch.distributed import TCPStore


def store_at(host, port, **more):
    """Returns a store that waits for nobody. With is_master, it is the server."""
    try:
        return TCPStore(host, port, wait_for_workers=False, **more)
    except RuntimeError as error:
        # Debian builds PyTorch without libuv, which is the default since version 2.4.
        if "libuv" not in str(error):
            raise
        return TCPStore(host, port, wait_for_workers=False, use_libuv=False, **more)
