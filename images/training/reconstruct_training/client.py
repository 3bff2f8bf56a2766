"""Requests to the coordinator: JSON without NaN and infinities, over one connection per client."""

import http.client
import json


class Refused(Exception):
    """The coordinator answered, with an error."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Unreachable(Exception):
    """The coordinator did not answer: it may be restarting."""


class Client:
    """Not thread-safe: each thread has a client of its own."""

    def __init__(self, address, token="", timeout=5.0):
        self._address = address
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._timeout = timeout
        self._connection = None

    def get(self, path, wait=0.0):
        return self._ask("GET", path, None, wait)

    def post(self, path, body):
        return self._ask("POST", path, body)

    def put(self, path, body):
        return self._ask("PUT", path, body)

    def close(self):
        if self._connection:
            self._connection.close()
        self._connection = None

    def _ask(self, method, path, body, wait=0.0):
        payload = None if body is None else json.dumps(body, allow_nan=False).encode()
        # A kept connection may have been closed by the other side meanwhile: that alone is no sign of a failure.
        for fresh in (self._connection is None, True):
            try:
                return self._once(method, path, payload, self._timeout + wait)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.close()
                if fresh:
                    raise Unreachable(f"{self._address} did not answer: {error}") from error

    def _once(self, method, path, payload, timeout):
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._address, timeout=timeout)
            self._connection.connect()
        self._connection.sock.settimeout(timeout)
        self._connection.request(method, path, payload, self._headers)
        response = self._connection.getresponse()
        answer = json.loads(response.read() or b"{}")
        if response.status >= 400:
            raise Refused(response.status, answer.get("error", f"status {response.status}"))
        return answer


def number(value):
    """Returns a float as JSON has it: as text if it is no finite number."""
    value = float(value)
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return value
