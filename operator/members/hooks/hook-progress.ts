/** How far a hook got that runs. */
export interface HookProgress {
  readonly hasSucceeded: boolean;
  /** Why it has not succeeded, as the part of a sentence. Undefined if nothing is known. */
  readonly problem?: string | undefined;
  /** It does not try again by itself. */
  readonly hasFailed?: boolean;
}
