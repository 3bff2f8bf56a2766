/**
 * Sends a signal to a process of the same Pod when the kubelet has replaced the files of a Secret or a ConfigMap.
 *
 *   reload-signal --directory /etc/tls --process nginx [--signal SIGHUP] [--every 2] [--settle 5]
 *
 * The Pod needs `shareProcessNamespace: true`, and both containers the same user. The kubelet replaces all files at once, by
 * the link `..data`. A process that has started after the last replacement has read the new files and gets no signal. A young
 * process may not handle the signal yet, so it gets the signal `settle` seconds after its start.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants, uptime } from 'node:os';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    directory: { type: 'string' },
    process: { type: 'string' },
    signal: { type: 'string', default: 'SIGHUP' },
    every: { type: 'string', default: '2' },
    settle: { type: 'string', default: '5' },
  },
});
const { directory, process: name, signal } = values;
const [every, settle] = [Number(values.every), Number(values.settle)];

const problem =
  directory === undefined || name === undefined
    ? 'set --directory and --process'
    : !(signal in constants.signals)
      ? `--signal must be a signal such as SIGHUP, got ${signal}`
      : !(every > 0 && settle >= 0)
        ? '--every must be more than 0 seconds, and --settle 0 or more'
        : undefined;
if (problem !== undefined) {
  console.error(`reload-signal: ${problem}`);
  process.exit(2);
}

/** Clock ticks in a second. Linux has this value on all architectures. */
const ticks = 100;

/** The present files, and when the kubelet put them there, in seconds since 1970. Undefined before the first ones. */
function present() {
  try {
    const link = `${directory}/..data`;
    return { target: readlinkSync(link), since: lstatSync(link).mtimeMs / 1000 };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The processes of the name, without those that one of them has started. */
function processes() {
  const found = new Map();
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)) {
    try {
      // The name is in parentheses, and may have some itself.
      const [, comm, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      if (comm !== name.slice(0, 15)) continue;
      const fields = rest.split(' ');
      found.set(Number(pid), { parent: Number(fields[1]), started: bootTime() + Number(fields[19]) / ticks });
    } catch {
      // It has ended meanwhile.
    }
  }
  return [...found].filter(([, { parent }]) => !found.has(parent)).map(([pid, { started }]) => ({ pid, started }));
}

/** Seconds since 1970. */
function bootTime() {
  return Date.now() / 1000 - uptime();
}

/** The files of which each process was told. */
const told = new Map();

function check() {
  const files = present();
  if (!files) return;
  const now = Date.now() / 1000;
  const running = processes();
  for (const pid of told.keys()) if (!running.some((one) => one.pid === pid)) told.delete(pid);
  for (const { pid, started } of running) {
    const isNew = files.since >= started && told.get(pid) !== files.target;
    if (!isNew || now < started + settle) continue;
    process.kill(pid, signal);
    told.set(pid, files.target);
    console.log(JSON.stringify({ message: 'Sent signal', signal, process: name, pid, files: files.target }));
  }
}

function tryToCheck() {
  try {
    check();
  } catch (error) {
    console.error(JSON.stringify({ message: 'Could not send signal', error: error.message }));
  }
}

for (const end of ['SIGTERM', 'SIGINT']) process.on(end, () => process.exit(0));
tryToCheck();
setInterval(tryToCheck, every * 1000);
