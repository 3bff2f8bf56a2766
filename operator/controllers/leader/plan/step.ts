import type { PodAssignment } from '../ports/roles.js';

/** Causes for which an election waits. Those with names are about these Pods. */
export type Wait =
  /** An older election has the Pods. */
  | 'rival'
  /** The state of the Lease, or of the annotations, is not known. */
  | 'lease'
  /** No Pod matches the selector. */
  | 'candidates'
  /** No launcher has answered yet, or some have not before the first election. */
  | 'reports'
  /** Launchers have not confirmed that they are detached from earlier leaders. */
  | 'fence'
  /** A leader whose Lease has expired leads by the promises of all candidates. */
  | 'promises'
  /** The Lease of a leader that is not heard has not expired. */
  | 'expiry'
  /** Too many replicas are not heard, so confirmed writes could be lost. */
  | 'replicas'
  /** No candidate has a complete copy of the data of the last leader. */
  | 'copy'
  /** Several candidates have data of different histories. */
  | 'histories'
  /** The Pod of a leader without launcher still exists. */
  | 'end'
  /** No candidate is ready. */
  | 'ready';

/** The next safe step of an election. Each one is taken again until its effect is seen. */
export type Step =
  /** Write roles, terms and labels. `fence`: of the next term, so that nobody confirms writes to an earlier leader. */
  | { readonly does: 'assign'; readonly pods: readonly PodAssignment[]; readonly why: 'fence' | 'roles' }
  /** Write the Lease: a leader, or none to raise the term. */
  | {
      readonly does: 'elect';
      readonly term: number;
      readonly holder: string;
      readonly over: { readonly uid: string; readonly version: string };
    }
  /** Delete the Pod of a leader that has no launcher. */
  | { readonly does: 'delete'; readonly pod: { readonly name: string; readonly uid: string } }
  /** Tell an application its role by a hook. */
  | {
      readonly does: 'hook';
      readonly hook: 'promote' | 'demote';
      readonly term: number;
      readonly pod: { readonly name: string; readonly uid: string; readonly address: string };
      readonly leader?: { readonly name: string; readonly address: string };
    }
  | { readonly does: 'wait'; readonly why: Wait; readonly names?: readonly string[]; readonly until?: number }
  /** A leader leads, and nothing is to be changed. */
  | { readonly does: 'rest'; readonly until?: number };
