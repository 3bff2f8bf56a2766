import type { Run } from './run.js';
import { type Fault, faults } from './weather.js';

/** What is left of a history. */
interface Cut {
  readonly without: ReadonlySet<Fault>;
  readonly skipped: ReadonlySet<number>;
}

/**
 * A shorter history that breaks the same promise: faults that it does not need never come, and acts that it does not
 * need are left out. Greedy: every cut that keeps the promise broken is kept.
 * @param again plays a history of the same seed
 */
export async function shrunk(failed: Run, again: (cut: Cut) => Promise<Run>): Promise<Run> {
  let best = failed;
  const attempt = async (cut: Cut) => {
    const run = await again(cut);
    if (run.broken?.promise === failed.broken?.promise) best = run;
  };
  for (const fault of faults) {
    const { without = new Set(), skipped = new Set() } = best.plan;
    await attempt({ without: new Set([...without, fault]), skipped });
  }
  for (let act = failed.acts - 1; act >= 0; act--) {
    const { without = new Set(), skipped = new Set() } = best.plan;
    await attempt({ without, skipped: new Set([...skipped, act]) });
  }
  return best;
}
