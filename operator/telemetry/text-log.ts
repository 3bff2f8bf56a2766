import { type LogLevel, logLevels } from '../config/log-level.js';
import type { Log } from '../runtime/ports/telemetry.js';
import { printable } from './printable-text.js';

const colours = { debug: '\x1b[2m', info: '\x1b[32m', warn: '\x1b[33m', error: '\x1b[31m' } as const;
const plain = '\x1b[0m';
/** Characters that would make one value look like two. */
const quoted = /[\s"]/;

export interface TextLogOptions {
  readonly level: LogLevel;
  readonly isColoured: boolean;
  /** Writes a line, including its newline. */
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Log lines for people: time, level, message and fields. */
export function textLog({ level, isColoured, write, now }: TextLogOptions): Log {
  const least = logLevels.indexOf(level);
  const line = (name: keyof typeof colours) => (fields: object, message: string) => {
    if (logLevels.indexOf(name) < least) return;
    const time = new Date(now()).toISOString().slice(11, 23);
    const said = isColoured ? `${colours[name]}${name.padEnd(5)}${plain}` : name.padEnd(5);
    write(`${[time, said, printable(message), ...pairs(fields)].join(' ')}\n`);
  };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

function pairs(fields: object): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${shown(value)}`]));
}

function shown(value: unknown): string {
  const isPlain = typeof value === 'string' && value !== '' && !quoted.test(value) && printable(value) === value;
  return isPlain ? value : printable(JSON.stringify(value));
}
