const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts at the first signal that asks this process to end; the second one ends it at once. */
export function untilAskedToStop(): AbortSignal {
  const asked = new AbortController();
  for (const name of signals) {
    process.on(name, () => {
      if (asked.signal.aborted) process.exit(1);
      asked.abort();
    });
  }
  return asked.signal;
}

/** Resolves when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
