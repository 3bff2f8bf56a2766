"""Hears from drivers (see writes.py), and sees two that live at once: a driver that is heard of after another one began.

POST /  {"driver": POD, "uid": UID, "step": N}  409 if another process was heard of later: this one should be dead
GET /   {"processes": [{"driver", "uid", "first", "last", "steps"}, …], "overlaps": [{"uid", "after", "at"}, …]}, oldest first;
        times are seconds since the witness began. Overlaps are posts of a process after a later process began.
"""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

began = time.monotonic()
lock = threading.Lock()
processes = []
overlaps = []


def hear(driver, uid, step):
    """@returns the uid of a process that began later, or None"""
    now = round(time.monotonic() - began, 3)
    with lock:
        known = next((one for one in processes if one["uid"] == uid), None)
        if known is None:
            known = {"driver": driver, "uid": uid, "first": now, "last": now, "steps": 0}
            processes.append(known)
        known.update(last=now, steps=step)
        newest = processes[-1]["uid"]
        if newest == uid:
            return None
        overlaps.append({"uid": uid, "after": newest, "at": now})
        return newest


class Witness(BaseHTTPRequestHandler):
    def do_GET(self):
        with lock:
            self.answer(200, {"processes": processes, "overlaps": overlaps})

    def do_POST(self):
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        later = hear(said["driver"], said["uid"], said["step"])
        self.answer(409 if later else 200, {"later": later})

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Witness)
    print(server.server_port, flush=True)
    server.serve_forever()
