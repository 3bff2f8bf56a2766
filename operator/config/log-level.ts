/** The levels of the log, from the least severe one. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The least severe level that is logged. */
export type LogLevel = (typeof logLevels)[number];
