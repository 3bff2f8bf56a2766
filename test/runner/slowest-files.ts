import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Prints, after everything else, which files took longest, with what they import. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules.toSorted((a, b) => millisecondsOf(b) - millisecondsOf(a)).slice(0, shown);
    if (slowest.length < 2) return;
    console.log(` Slowest files, of ${modules.length}:`);
    for (const one of slowest) console.log(`${seconds(millisecondsOf(one)).padStart(9)}  ${one.relativeModuleId}`);
  }
}

function millisecondsOf(one: TestModule): number {
  const { duration, collectDuration, setupDuration } = one.diagnostic();
  return duration + collectDuration + setupDuration;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
