/** Aborts at the first of these signals to this process; a second one ends it at once. */
export function stopSignal(...signals: readonly NodeJS.Signals[]): AbortSignal {
  const asked = new AbortController();
  for (const name of signals) {
    process.on(name, () => {
      if (asked.signal.aborted) process.exit(1);
      asked.abort(new Error(`asked to stop by ${name}`));
    });
  }
  return asked.signal;
}
