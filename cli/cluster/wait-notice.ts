/** How long nobody wonders what a command is doing, in milliseconds. */
const patience = 5_000;

/**
 * Says on standard error whom a command waits for, once it has for a while.
 * @param origin of the API server
 * @returns what ends it: to be disposed of when the answers are there
 */
export function withWaitNotice(origin: string, say: (text: string) => void = console.error): Disposable {
  const timer = setTimeout(() => say(`still waiting for answers of the API server at ${origin}`), patience);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
