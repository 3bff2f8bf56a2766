import { createContext, Script } from 'node:vm';

/** Milliseconds that only work without an end needs, also on a machine that does much else. */
const hang = 120_000;

/** Runs synchronous work, which no timeout of a test can interrupt. @throws {Error} if it does not end */
export function bounded<T>(work: () => T): T {
  const sandbox: { run: () => void; result?: T } = {
    run: () => {
      sandbox.result = work();
    },
  };
  new Script('run()').runInContext(createContext(sandbox) as never, { timeout: hang });
  return sandbox.result as T;
}
