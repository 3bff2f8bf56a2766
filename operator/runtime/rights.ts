import { distantKinds } from './distant.js';
import { Event, type ObjectKind } from './kinds.js';

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Declared {
  readonly kind: ObjectKind;
  readonly owns: readonly ObjectKind[];
  readonly finalizes: boolean;
}

/**
 * The least rights that the runtime needs to run a controller, derived from what it does to which kind:
 * - the resource: watched; its status applied; its finalizer applied where it finalizes, or where
 *   owner references do not reach what it owns. `update` on `finalizers` is
 *   what OwnerReferencesPermissionEnforcement asks of whoever sets `blockOwnerDeletion`.
 * - what it owns: watched by label; read when a create finds the name taken; created, applied, pruned.
 * - events: created, and counted up.
 */
export function rightsOf(declared: Declared): PolicyRule[] {
  const { kind, owns } = declared;
  const finalizes = declared.finalizes || distantKinds(declared).length > 0;
  const rule = (of: ObjectKind, resource: string, ...verbs: string[]): PolicyRule => ({
    apiGroups: [of.group],
    resources: [resource],
    verbs,
  });
  return [
    rule(kind, kind.plural, 'list', 'watch', ...(finalizes ? ['patch'] : [])),
    rule(kind, `${kind.plural}/status`, 'patch'),
    rule(kind, `${kind.plural}/finalizers`, 'update'),
    ...owns.map((owned) => rule(owned, owned.plural, 'list', 'watch', 'get', 'create', 'patch', 'delete')),
    rule(Event, Event.plural, 'create', 'patch'),
  ];
}
