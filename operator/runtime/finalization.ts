import { authored } from './authored.js';
import type { Controller, CustomResource } from './controller.js';
import { distantKinds } from './distant.js';

/** How a deleted resource is undone. */
export interface Finalization<R extends CustomResource = CustomResource> {
  /** Milliseconds from the deletion on that it may take. @default 1_800_000, half an hour */
  readonly deadline?: number;
  /**
   * `keep`: the resource stays until its undoing has ended or a person lets it go, and says so in `DeletionBlocked`.
   * `release`: it goes, the garbage collector takes what it owns, and an event says what was left. @default 'keep'
   */
  readonly onDeadline?: 'keep' | 'release';
  /**
   * Whether there is something of a resource to be undone which is no object of the cluster, as an account or a file: it is
   * held for that too, though it owns nothing. Once it is deleted, `desire` alone says for how long. Pure.
   * @default - there is nothing
   */
  readonly external?: (resource: R) => boolean;
}

/** Nothing is lost that a person did not give up. */
export const patient: Required<Finalization> = { deadline: 1_800_000, onDeadline: 'keep', external: () => false };

/** True of a controller that may have something to undo, which the garbage collector leaves. */
export function undoes(controller: Pick<Controller, 'finalizes' | 'kind' | 'owns'>): boolean {
  return controller.finalizes || distantKinds(controller).length > 0;
}

/** True where there is something to undo that is no object of the cluster. */
export function isExternal({ name, finalization }: Controller, owner: CustomResource): boolean {
  return authored(name, 'finalization', () => finalization.external(owner));
}
