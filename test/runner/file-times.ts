import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes how long each file of tests took, its imports included, into a folder if one is given: `npm test` prints the slowest. */
export class FileTimes implements Reporter {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#folder === undefined) return;
    const times = modules.map((one) => ({ file: one.relativeModuleId, seconds: secondsOf(one) }));
    writeFileSync(join(this.#folder, `${process.pid}.json`), JSON.stringify(times));
  }
}

function secondsOf(one: TestModule): number {
  const { duration, collectDuration, setupDuration } = one.diagnostic();
  return (duration + collectDuration + setupDuration) / 1000;
}
