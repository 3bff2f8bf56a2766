import { setTimeout as pause } from 'node:timers/promises';

/** What is waited for, and for how long. */
export interface Patience {
  readonly what: string;
  /** Milliseconds. */
  readonly within: number;
  /** Milliseconds between two looks. @default 50 */
  readonly every?: number;
  /** Returns what there is instead, for the error. */
  readonly instead?: () => string;
}

/** Resolves when it is so. @throws {Error} when it is not within the time */
export async function until(isSo: () => boolean | Promise<boolean>, patience: Patience): Promise<void> {
  const deadline = performance.now() + patience.within;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(unmet(patience));
    await pause(patience.every ?? 50);
  }
}

function unmet({ what, within, instead }: Patience): string {
  return [`not within ${within / 1000} s: ${what}`, ...(instead ? [`instead: ${instead()}`] : [])].join('; ');
}
