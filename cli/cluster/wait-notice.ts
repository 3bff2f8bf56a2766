/** Milliseconds before the notice. */
const patience = 5_000;

/**
 * Reports on standard error that a command still waits for the API server, after 5 seconds.
 * @param origin origin of the API server
 * @returns a handle to dispose when the responses have arrived
 */
export function withWaitNotice(origin: string, say: (text: string) => void = console.error): Disposable {
  const timer = setTimeout(() => say(`still waiting for the API server at ${origin}`), patience);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
