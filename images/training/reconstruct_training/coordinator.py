"""The coordinator of a job: `python3 -m reconstruct_training.coordinator`.

It holds the rendezvous store and what every process last said, and hands out the generation and the orders that the
operator gives it. It decides nothing. Nothing is kept on disk: after a restart, the operator sends the generation
again and the processes go on saying where they are.
"""

import argparse
import hmac
import json
import os
import select
import signal
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

from .job import Conflict, Invalid, Job

LONGEST_WAIT = 30.0
# Seconds between two looks whether a client that waits is still there.
LOOK = 0.5
LARGEST_BODY = 4 << 20
# Bytes that are read at once of a body that is of no use.
PIECE = 64 << 10
# Seconds without a byte after which a connection is closed.
IDLE = 60


class Left(Exception):
    """The client has closed its connection while it waited."""


def _no_constant(text):
    raise Invalid(f"{text} is no JSON value: send it as text")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Without it, an answer waits for the acknowledgement of its headers.
    wbufsize = -1
    disable_nagle_algorithm = True
    timeout = IDLE

    def do_GET(self):
        self._answer("GET")

    def do_POST(self):
        self._answer("POST")

    def do_PUT(self):
        self._answer("PUT")

    def _answer(self, method):
        job = self.server.job
        url = urlparse(self.path)
        try:
            length = self.headers.get("Content-Length") or "0"
            # A number below 0 would mean all that ever comes.
            if not length.isdecimal() or len(length) > 9 or int(length) > LARGEST_BODY:
                self.close_connection = True
                return self._send(413, {"error": f"the body has {length[:20]} bytes: at most {LARGEST_BODY}"})
            allowed = self._allowed()
            # Read before anything is refused: what is left in the connection would be taken for the next request.
            raw = self._body(int(length), allowed)
            if url.path == "/healthz":
                return self._send(200, {"store": job.store_port is not None})
            if not allowed:
                return self._send(401, {"error": "the token is missing or wrong"})
            body = json.loads(raw, parse_constant=_no_constant) if raw else {}
            if not isinstance(body, dict):
                raise Invalid("the body must be an object")
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            routes = {
                ("GET", "/v1/job"): lambda: self._job(query),
                ("GET", "/v1/generation"): lambda: self._generation(query),
                ("PUT", "/v1/generation"): lambda: job.begin(body),
                ("PUT", "/v1/orders"): lambda: job.order(body),
                ("POST", "/v1/heartbeat"): lambda: job.hear(body),
                ("POST", "/v1/launcher"): lambda: job.hear_launcher(body),
                ("POST", "/v1/fault"): lambda: job.fault(body),
            }
            route = routes.get((method, url.path))
            if route is None:
                return self._send(404, {"error": f"{method} {url.path} does not exist"})
            self._send(200, route())
        except (Invalid, ValueError, KeyError, TypeError) as error:
            self._send(400, {"error": str(error)})
        except Conflict as error:
            self._send(409, {"error": str(error), "generation": error.generation})
        except Left:
            self.close_connection = True

    def _job(self, query):
        after = query.get("after")
        if after is not None:
            self._hold(lambda seconds: self.server.job.is_other(after, seconds), query)
        return self.server.job.report()

    def _generation(self, query):
        after = int(query.get("after", -1))
        self._hold(lambda seconds: self.server.job.is_past(after, seconds), query)
        return self.server.job.generation_after(after)

    def _hold(self, is_so, query):
        """Waits until is_so(seconds), which waits so long for it, or for the time that the query has.

        @throws Left if the client leaves first
        """
        wait = float(query.get("wait", 0))
        if not wait >= 0:
            raise Invalid(f"wait must be at least 0, got {wait}")
        end = time.monotonic() + min(wait, LONGEST_WAIT)
        while not is_so(min(LOOK, max(0.0, end - time.monotonic()))) and time.monotonic() < end:
            if self._has_left():
                raise Left

    def _has_left(self):
        waiting = select.poll()
        waiting.register(self.connection, select.POLLIN)
        try:
            return bool(waiting.poll(0)) and not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def _body(self, length, allowed):
        """Reads the body. That of a stranger is not kept."""
        if allowed:
            return self.rfile.read(length)
        while length > 0 and (piece := self.rfile.read(min(length, PIECE))):
            length -= len(piece)
        return b""

    def _allowed(self):
        token = self.server.token
        given = self.headers.get("Authorization", "")
        return not token or hmac.compare_digest(given.encode(), f"Bearer {token}".encode())

    def _send(self, status, body):
        payload = json.dumps(body, allow_nan=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)
        self.wfile.flush()

    def log_message(self, *_):
        """A line for each heartbeat is no use to anyone."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024
    # A process that dies in the middle of a request must not print a traceback here.
    def handle_error(self, request, client_address):
        pass


def start(job, host="", port=0, token=""):
    """Answers in a thread of its own. Returns the server, whose port is `server.server_port`."""
    server = Server((host, port), Handler)
    server.job, server.token = job, token
    threading.Thread(target=server.serve_forever, name="coordinator", daemon=True).start()
    return server


def open_store(job, host="0.0.0.0", port=0):
    """Opens the rendezvous store. The caller keeps the store that it returns."""
    from .store import store_at

    store = store_at(host, port, is_master=True)
    job.store_opened(store.port)
    return store


def main():
    parser = argparse.ArgumentParser(prog="reconstruct_training.coordinator", description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="", help="address to listen at (default: all)")
    parser.add_argument("--port", type=int, default=29400, help="port of HTTP (default: 29400)")
    parser.add_argument("--store-port", type=int, default=29401, help="port of the store (default: 29401)")
    options = parser.parse_args()
    ended = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: ended.set())
    job = Job()
    # HTTP first: heartbeats are heard while torch is imported.
    start(job, options.host, options.port, os.environ.get("RECONSTRUCT_TOKEN", ""))
    store = open_store(job, options.host or "0.0.0.0", options.store_port)
    ended.wait()
    del store


if __name__ == "__main__":
    main()
