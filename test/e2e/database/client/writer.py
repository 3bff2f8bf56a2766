"""Writes numbered rows all the while, and tells each second as a line of JSON which of them were acknowledged.

    writer.py '{"name": "first", "connections": 4, "pause": 0.02}'

A row is acknowledged when its commit was answered. One whose connection broke before may be there or not: nobody was
promised anything. There is no limit to how long a commit may take: to give up waiting for a replica is to be answered.
"""

import json
import os
import signal
import sys
import threading
import time

import psycopg2

ASKED = json.loads(sys.argv[1])
# A server that has gone without a word is given up after 4 s.
PATIENCE = {
    "connect_timeout": 2,
    "tcp_user_timeout": 4000,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
# Milliseconds without an acknowledgement that are worth telling.
WORTH_TELLING = 300


def now():
    return int(time.time() * 1000)


class Period:
    """What became of the rows that ended in a second, and when no row was acknowledged."""

    def __init__(self):
        self.start = now()
        self.acknowledged = []
        self.pauses = []
        self.failed = {}


class Ledger:
    """Numbers rows, and counts what becomes of them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.number = 0
        self.last = None
        self.period = Period()

    def next(self):
        with self.lock:
            self.number += 1
            return self.number

    def acknowledge(self, number):
        with self.lock:
            at = now()
            if self.last is not None and at - self.last >= WORTH_TELLING:
                self.period.pauses.append([self.last, at])
            self.last = at
            self.period.acknowledged.append(number)

    def fail(self, error):
        lines = str(error).strip().splitlines() or [type(error).__name__]
        with self.lock:
            self.period.failed[lines[0]] = self.period.failed.get(lines[0], 0) + 1

    def tell(self):
        with self.lock:
            told, self.period = self.period, Period()
            last = self.last
        line = {"from": told.start, "to": now(), "acknowledged": ranges(told.acknowledged), "pauses": told.pauses}
        print(json.dumps({**line, **({} if last is None else {"last": last}), "failed": told.failed}), flush=True)


def ranges(numbers):
    """[1, 2, 3, 7] as [[1, 3], [7, 7]]."""
    found = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def write_on(ledger, stopping):
    connection = None
    while not stopping.is_set():
        try:
            connection = connection or connected()
            number = ledger.next()
            with connection.cursor() as cursor:
                cursor.execute("INSERT INTO numbers (writer, n) VALUES (%s, %s)", (ASKED["name"], number))
            ledger.acknowledge(number)
        except psycopg2.Error as error:
            ledger.fail(error)
            connection = closed(connection)
        stopping.wait(ASKED["pause"])


def connected():
    connection = psycopg2.connect(os.environ["URI"], **PATIENCE)
    connection.autocommit = True
    return connection


def closed(connection):
    if connection is not None:
        connection.close()


def main():
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    ledger = Ledger()
    writers = [threading.Thread(target=write_on, args=(ledger, stopping)) for _ in range(ASKED["connections"])]
    for writer in writers:
        writer.start()
    while not stopping.wait(1):
        ledger.tell()
    for writer in writers:
        writer.join()
    ledger.tell()


if __name__ == "__main__":
    main()
