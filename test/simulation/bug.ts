/** A mistake that the simulation must find: one change to one file of the compiled runtime. */
export interface Bug {
  /** What the runtime does wrong. */
  readonly name: string;
  /** The line of the guarantees that it breaks, which its test is named by. */
  readonly line: string;
  /** Of the compiled code, below `operator/runtime/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The promise that it breaks, or the beginning of it. @default - one of several, whichever comes first */
  readonly breaks?: string;
  /** Of `runtimeSubjects`: on which controller it shows. */
  readonly subject: string;
  /** The first seed to try, at which it was found last. @default 0 */
  readonly from?: number;
  /** Seeds within which it is found. */
  readonly within: number;
}
