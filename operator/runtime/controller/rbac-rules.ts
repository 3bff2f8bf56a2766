import { ControllerRevision, Event, type ObjectKind, type PolicyRule } from '../kubernetes/kinds.js';
import { undoes } from './finalization.js';
import type { OwnedStatus } from './owned-status.js';
import type { Polls } from './polls.js';
import { kindsRead, type Reads } from './reads.js';

interface Declared {
  readonly kind: ObjectKind;
  readonly owns: readonly ObjectKind[];
  readonly watchesSiblings: readonly ObjectKind[];
  readonly reads: Reads;
  readonly polls: Polls;
  readonly finalizes: boolean;
  readonly share: OwnedStatus;
  readonly keepsRevisions: 'whenRejected' | 'always' | 'never';
}

/**
 * The least rights that the runtime needs to run a controller, derived from what it does to which kind:
 * - the resource: watched; its status applied; its finalizer applied where it finalizes, or where
 *   owner references do not reach what it owns, and the resource read when it has changed meanwhile. `update` on `finalizers` is
 *   what OwnerReferencesPermissionEnforcement asks of whoever sets `blockOwnerDeletion`.
 * - what it owns: watched by label; listed before a finalizer goes; read when a create finds the name taken; created, applied, updated where
 *   values alone differ, pruned.
 * - what another controller of its kind made and it sees: watched by label.
 * - what it reads: watched; read when a resource refers to what none referred to before.
 * - what it gathers: what those who answer need.
 * - revisions of the spec: looked for, kept, discarded, where specs may be rejected.
 * - events: created, and counted up.
 */
export function rbacRulesOf(declared: Declared): PolicyRule[] {
  const { kind, owns, watchesSiblings, reads, polls, keepsRevisions } = declared;
  const finalizes = undoes(declared);
  const rule = (of: ObjectKind, resource: string, ...verbs: string[]): PolicyRule => ({
    apiGroups: [of.group],
    resources: [resource],
    verbs,
  });
  return [
    rule(kind, kind.plural, 'list', 'watch', ...(finalizes ? ['get', 'patch'] : [])),
    ...(isSilent(declared) ? [] : [rule(kind, `${kind.plural}/status`, 'patch')]),
    rule(kind, `${kind.plural}/finalizers`, 'update'),
    ...owns.map((owned) => rule(owned, owned.plural, ...verbsOf(owned))),
    ...watchesSiblings.map((seen) => rule(seen, seen.plural, 'list', 'watch')),
    ...kindsRead([{ reads }]).map((read) => rule(read, read.plural, 'list', 'watch', 'get')),
    ...Object.values(polls).flatMap(({ port }) => port.rights ?? []),
    ...(keepsRevisions === 'never'
      ? []
      : [rule(ControllerRevision, ControllerRevision.plural, 'list', 'create', 'delete')]),
    rule(Event, Event.plural, 'create', 'patch'),
  ];
}

/** What is shared is never written whole: others may have joined it meanwhile. */
function verbsOf({ shared }: ObjectKind): string[] {
  return ['list', 'watch', 'get', 'create', ...(shared ? [] : ['update']), 'patch', 'delete'];
}

/** True of a controller that says nothing of its resources. */
function isSilent({ share }: Declared): boolean {
  return share.conditions.size === 0 && [...share.fields].every((field) => field === 'conditions');
}
