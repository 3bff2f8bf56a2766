import type { Instance } from '../instances/instances.js';

/**
 * The one thing that is done next, if it is not a wait. Pods that are missing are made beside it, and what was begun goes
 * on.
 * - `add`: an instance more.
 * - `replace`: its Pod goes, and is made anew on the same claim.
 * - `leave`: it is scaled away: its Pod goes, then its claim.
 * - `quarantine`: its Pod goes, its claim is kept aside.
 * - `switchover`: it stops being the primary.
 * - `restart`: its PostgreSQL restarts, and its Pod stays.
 */
export type Step =
  | { readonly act: 'add' | 'wait'; readonly concern: Concern; readonly why: string }
  | {
      readonly act: 'replace' | 'leave' | 'quarantine' | 'switchover' | 'restart';
      readonly concern: Concern;
      readonly instance: Instance;
      readonly why: string;
    };

/** What a step is about: the condition that tells of it. `safety`: it was refused. */
export type Concern = 'provision' | 'update' | 'drain' | 'divergence' | 'stranded' | 'safety' | 'split';

/** What a person does to get a replacement while the volume of an earlier instance is kept. */
export function replacementAfter({ name }: Instance): string {
  return `to get a replacement, delete PVC ${name}, which is kept from an earlier instance`;
}

/** Something must be known, or happen, before more is done. */
export function wait(concern: Concern, why: string): Step {
  return { act: 'wait', concern, why };
}
