"""Asks each instance of a Database ten times a second whether it would take a write, and tells each second who said so.

    prober.py '{"database": "orders", "most": 9}'

A line of JSON has the stretches of time in which an instance said so all along: from the first answer to the last
question, so that it is certain of every moment between. One prober on each node still reaches the instance beside it
when the node is cut off.
"""

import json
import os
import socket
import sys
import threading
import time

import psycopg2

ASKED = json.loads(sys.argv[1])
PATIENCE = {
    "connect_timeout": 2,
    "tcp_user_timeout": 2000,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 2,
}
# Seconds between two questions, and until an instance is looked for again that is not there.
PAUSE = 0.1
LONG_PAUSE = 2
QUESTION = "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'"


def now():
    return int(time.time() * 1000)


class Stretches:
    """Who said that it takes writes, and from when to when."""

    def __init__(self):
        self.lock = threading.Lock()
        self.open = {}
        self.news = []

    def seen(self, who, asked, answered):
        with self.lock:
            stretch = self.open.setdefault(who, {"instance": who[0], "address": who[1], "from": answered})
            stretch["to"] = max(asked, stretch["from"])

    def ended(self, who):
        with self.lock:
            if who in self.open:
                self.news.append(self.open.pop(who))

    def tell(self):
        with self.lock:
            told, self.news = [*self.news, *self.open.values()], []
            print(json.dumps({"stretches": told}), flush=True)


class Watched:
    """One instance, wherever it is."""

    def __init__(self, name, stretches):
        self.name = name
        self.stretches = stretches
        self.address = None
        self.connection = None

    def watch(self):
        while True:
            try:
                self.connect()
                asked = now()
                with self.connection.cursor() as cursor:
                    cursor.execute(QUESTION)
                    writes = cursor.fetchone()[0]
                if writes:
                    self.stretches.seen((self.name, self.address), asked, now())
                else:
                    self.stretches.ended((self.name, self.address))
                time.sleep(PAUSE)
            except (psycopg2.Error, LookupError):
                self.lose()

    def connect(self):
        if self.connection is not None:
            return
        self.address = self.resolved()
        self.connection = psycopg2.connect(os.environ["URI"], hostaddr=self.address, **PATIENCE)
        self.connection.autocommit = True

    def resolved(self):
        """Where nobody can be asked for its address, it is where it was."""
        try:
            return socket.gethostbyname(f"{self.name}.{ASKED['database']}-members")
        except socket.gaierror as error:
            if error.errno == socket.EAI_AGAIN and self.address is not None:
                return self.address
            self.address = None
            raise LookupError(self.name) from error

    def lose(self):
        self.stretches.ended((self.name, self.address))
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        time.sleep(LONG_PAUSE if self.address is None else PAUSE)


def main():
    stretches = Stretches()
    for serial in range(1, ASKED["most"] + 1):
        watched = Watched(f"{ASKED['database']}-{serial}", stretches)
        threading.Thread(target=watched.watch, daemon=True).start()
    while True:
        time.sleep(1)
        stretches.tell()


if __name__ == "__main__":
    main()
