"""Logs in with the URI of its Secret again and again, and writes rows. Stores each failure once a login works."""

import os
import signal
import sys
import time

import psycopg2

stopped = False
failures = []


def stop(*_):
    global stopped
    stopped = True


signal.signal(signal.SIGTERM, stop)


def session():
    connection = psycopg2.connect(os.environ["DATABASE_URL"], connect_timeout=5)
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            while failures:
                cursor.execute("INSERT INTO failures VALUES (%s)", (failures[0],))
                failures.pop(0)
            for _ in range(5):
                cursor.execute("INSERT INTO written VALUES (session_user)")
                time.sleep(0.05)
    finally:
        connection.close()


print("started", flush=True)
while not stopped or failures:
    try:
        session()
    except psycopg2.Error as error:
        failures.append(str(error).strip()[:300])
        print("failed:", failures[-1], file=sys.stderr, flush=True)
        time.sleep(0.2)
