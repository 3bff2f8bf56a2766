import { type DestinationStream, pino } from 'pino';
import type { LogLevel } from '../config/log-level.js';
import type { Log } from '../runtime/ports/telemetry.js';

/**
 * Structured lines: one JSON object for each line, times in ISO 8601.
 * @param to the destination. @default - standard output
 */
export function jsonLog(level: LogLevel, to: DestinationStream = pino.destination(1)): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, to);
}
