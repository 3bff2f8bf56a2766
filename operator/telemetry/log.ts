import { pino } from 'pino';
import type { LogLevel } from '../options.js';
import type { Log } from '../runtime/telemetry.js';

/** Structured lines on standard output: JSON, one a line, times in ISO 8601. */
export function jsonLog(level: LogLevel): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
