"""Types into a program on a terminal, as a person does, and prints what it wrote.

Each step waits for a text in the output after the step before, and then sends keys.
"""
import json, os, pty, select, sys

steps, program = json.loads(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(program[0], program)
written, seen = "", 0
for awaited, keys in steps:
    while awaited not in written[seen:]:
        if not select.select([terminal], [], [], 100)[0]:
            sys.exit(f"no {awaited!r} in {written!r}")
        try:
            written += os.read(terminal, 4096).decode(errors="replace")
        except OSError:
            sys.exit(f"it ended without {awaited!r}: {written!r}")
    seen = written.index(awaited, seen) + len(awaited)
    os.write(terminal, keys.encode())
os.close(terminal)
sys.stdout.write(written)
