/** Aborts at the first of these signals to the process. A second signal ends the process at once. */
export function stopSignal(...signals: readonly NodeJS.Signals[]): AbortSignal {
  const asked = new AbortController();
  for (const name of signals) {
    process.on(name, () => {
      if (asked.signal.aborted) process.exit(1);
      asked.abort(new Error(`received ${name}`));
    });
  }
  return asked.signal;
}
