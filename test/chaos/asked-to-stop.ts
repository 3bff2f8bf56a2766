/** A Ctrl-C takes everything down in order, a second one at once. */
export function untilAskedToStop(): AbortSignal {
  const asked = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (asked.signal.aborted) process.exit(130);
      asked.abort(new Error('asked to stop'));
    });
  }
  return asked.signal;
}
