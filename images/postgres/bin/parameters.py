"""Asks PostgreSQL whether it starts with parameters, before they reach its configuration.

PostgreSQL refuses to start with an invalid value, an unknown library or too much memory, and a reload only logs the
error. A folder without data is enough to find out: PostgreSQL reads its configuration, loads the libraries and
certificates, and allocates its shared memory, and exits before it needs any data.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import making

# The last parameters with which PostgreSQL starts.
ACCEPTED = f"{making.VOLUME}/.parameters.json"
CONTROL = f"{making.VOLUME}/pgdata/global/pg_control"
VERSION = f"{making.VOLUME}/pgdata/PG_VERSION"
# Seconds that PostgreSQL has for all its answers. Patroni waits for them, and its lease lasts for 20.
PATIENCE = 8
# The memory limit of the container, with cgroup v2 and v1.
LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
MIB = 1024**2
# The length of a reported problem.
MOST = 300

# Lines of postgresql.conf that the server does not use. A pending restart is reported elsewhere.
UNUSED = """
SELECT f.name, coalesce(f.error, 'postgresql.auto.conf overrides it; run ALTER SYSTEM RESET ' || f.name)
FROM pg_file_settings f LEFT JOIN pg_settings s ON lower(s.name) = lower(f.name)
WHERE NOT f.applied AND NOT coalesce(s.pending_restart, false)
AND f.name IS NOT NULL AND f.sourcefile = current_setting('data_directory') || '/postgresql.conf'
"""


def unused(connection):
    """Returns the reasons why a running server does not use parameters of its configuration, by name."""
    with connection.cursor() as cursor:
        cursor.execute(UNUSED)
        return {name: why[:MOST] for name, why in cursor.fetchall()}


class Clock:
    """Limits the time that a check takes."""

    def __init__(self):
        self._end = time.monotonic() + PATIENCE
        # True if a question got no answer in time.
        self.expired = False

    def left(self):
        return max(0, self._end - time.monotonic())


class Judge:
    """Selects the parameters with which PostgreSQL starts. A refused one keeps its last accepted value."""

    def __init__(self):
        # Names of the parameters that the user sets. The others are those of the operator.
        self.given = ()
        # The reason for each refused parameter, by name.
        self.refused = {}
        self._wanted = {}
        self._known = None

    def again(self, used):
        """Judges the last wanted parameters once more. Returns the ones to use instead of those in use."""
        return self.usable({**used, **{name: self._wanted[name] for name in self.refused if name in self._wanted}})

    def usable(self, wanted):
        """Returns the parameters to use instead of the wanted ones."""
        self._wanted = dict(wanted)
        question = (dict(wanted), tuple(self.given), os.path.exists(CONTROL))
        if self._known and self._known[0] == question:
            return dict(self._known[1])
        clock = Clock()
        answer, self.refused = judged(question[0], self.given, clock)
        # Without an answer, the next reload or start asks again.
        self._known = None if clock.expired else (question, answer)
        return dict(answer)


def judged(wanted, given, clock):
    """Returns the parameters with which PostgreSQL starts, and the reason for each refused one."""
    if problem_of(wanted, clock) is None:
        if os.path.exists(CONTROL) and not clock.expired:
            keep(wanted)
        return wanted, {}
    base = {name: value for name, value in wanted.items() if name not in given}
    if problem_of(base, clock) is not None:
        return wanted, {}  # the cause is not a parameter of the user
    left = {name: wanted[name] for name in sorted(given) if name in wanted}
    whys = {}
    # One parameter may need another, so each is tried again once others are accepted.
    while left:
        whys = {name: problem_of({**base, name: value}, clock) for name, value in left.items()}
        fit = next((name for name, why in whys.items() if why is None), None)
        if fit is None:
            break
        base[fit] = left.pop(fit)
    known = accepted()
    for name in left:
        if name in known and problem_of({**base, name: known[name]}, clock) is None:
            base[name] = known[name]
    return base, {name: whys[name] for name in left}


def problem_of(parameters, clock=None):
    """Returns the reason why PostgreSQL does not start with parameters, or None if it starts or does not answer."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _problem_in(folder, parameters, clock or Clock())
    except OSError:  # for example, no space for the folder
        return None


def _problem_in(folder, parameters, clock):
    for name in ("global", "pg_notify", "pg_dynshmem"):
        os.mkdir(f"{folder}/{name}")
    _write(f"{folder}/postgresql.auto.conf", "")
    _write(f"{folder}/postgresql.conf", _configuration(parameters))
    # Without data, PostgreSQL can only read its configuration.
    if not os.path.exists(CONTROL):
        return _asked(folder, clock, "-C", "port")[1]
    shutil.copyfile(CONTROL, f"{folder}/global/pg_control")
    shutil.copyfile(VERSION, f"{folder}/PG_VERSION")
    size, why = _asked(folder, clock, "-C", "shared_memory_size")
    if why is None and size:
        why = _oversize(int(size)) or _asked(folder, clock, "--check")[1]
    return why


def accepted():
    try:
        with open(ACCEPTED, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def keep(parameters):
    """Remembers the parameters. On a full volume, the ones before stay."""
    if accepted() == parameters:
        return
    try:
        _write(f"{ACCEPTED}.new", json.dumps(parameters))
        os.rename(f"{ACCEPTED}.new", ACCEPTED)
    except OSError:
        pass


def _configuration(parameters):
    """PostgreSQL loads some libraries only for a connection, and refuses every connection if they do not exist."""
    libraries = [parameters.get(name) for name in ("shared_preload_libraries", "session_preload_libraries")]
    local = [one.strip() for one in (parameters.get("local_preload_libraries") or "").split(",")]
    libraries += [one if "/" in one else f"$libdir/plugins/{one}" for one in local if one]
    loaded = ", ".join(one for one in libraries if one)
    values = {**parameters, **({"shared_preload_libraries": loaded} if loaded else {})}
    return "".join(f"{name} = '{_escaped(value)}'\n" for name, value in values.items() if value is not None)


def _escaped(value):
    return str(value).replace("\\", "\\\\").replace("'", "''")


def _oversize(size):
    """@param size mebibytes of shared memory"""
    limit = _memory_limit()
    if limit is None or size * MIB <= limit:
        return None
    return f"the shared memory of {size} MB exceeds the memory limit of the container, {limit // MIB} MB"


def _memory_limit():
    """Returns bytes, or None without a limit."""
    for path in LIMITS:
        try:
            with open(path, encoding="utf-8") as file:
                return int(file.read())
        except (OSError, ValueError):
            continue
    return None


def _asked(folder, clock, *question):
    """Runs PostgreSQL without starting it. Returns its output, and the reason why it would not start."""
    line = ["postgres", *question, "-D", folder]
    try:
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=clock.left())
    except (OSError, subprocess.TimeoutExpired):
        clock.expired = True
        return "", None
    return done.stdout.strip(), None if done.returncode == 0 else _reason(done, folder)


def _reason(done, folder):
    """The first error of PostgreSQL."""
    if done.returncode < 0:
        return f"the server is killed by signal {-done.returncode} as it starts, probably because it needs more memory"
    lines = re.findall(r"(?:LOG|ERROR|FATAL|PANIC|postgres):\s+(.*)", done.stderr)
    telling = [line for line in lines if "contains errors" not in line] or lines or [done.stderr.strip()]
    return telling[0].replace(folder, "").strip()[:MOST] or f"the server exits with code {done.returncode}"


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
