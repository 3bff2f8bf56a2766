import type { DatabaseResource } from '../../../imports/index.js';
import { withLeftClaims } from '../../pods/left-claims.js';
import {
  type Answers,
  type ConfigMap,
  type Facts,
  type LivePersistentVolumeClaim,
  type Outcome,
  type Owned,
  PersistentVolumeClaim,
  type Pod,
  type Secret,
} from '../../runtime/index.js';
import type { DatabaseReads } from './declarations.js';
import type { polls } from './polls.js';

type Kinds = typeof Pod | typeof PersistentVolumeClaim | typeof Secret | typeof ConfigMap;

/** The input of `desire` and `assess`. */
export interface DatabaseView extends Pick<Facts<DatabaseResource>, 'resource' | 'now' | 'isServed'> {
  readonly owned: Pick<Owned<Kinds>, 'of'>;
  /** Terminating Pods, in `assess`. In `desire`, `owned` contains them. @default - none */
  readonly pruning?: Pick<Outcome<DatabaseResource, typeof Pod>['pruning'], 'of'>;
  readonly reads: DatabaseReads;
  readonly polled: Answers<ReturnType<typeof polls>>;
}

/** The PVCs of the Database, and unowned ones that an earlier Database of the same name left. */
export function claimsIn({ owned, reads }: DatabaseView): readonly LivePersistentVolumeClaim[] {
  return withLeftClaims(owned.of(PersistentVolumeClaim), reads.claims);
}
