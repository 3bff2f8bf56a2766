import { ControllerRevision, Event, type ObjectKind, type PolicyRule, Secret } from '../kubernetes/kinds.js';
import type { Port } from '../ports/external-port.js';
import { undoes } from './finalization.js';
import { type OwnedStatus, type ReportTarget, reportsElsewhere } from './owned-status.js';
import type { Polls } from './polls.js';
import { kindsRead, type Reads } from './reads.js';

interface Declared {
  readonly kind: ObjectKind;
  readonly owns: readonly ObjectKind[];
  readonly watchesSiblings: readonly ObjectKind[];
  readonly reads: Reads;
  readonly polls: Polls;
  readonly calls: readonly Port[];
  readonly finalizes: boolean;
  /** @default - no resource is deleted */
  readonly expiresAt?: unknown;
  readonly ownedStatus: OwnedStatus;
  /** @default 'status' */
  readonly reportsTo?: ReportTarget;
  readonly keepsRevisions: 'whenRejected' | 'always' | 'never';
}

/**
 * The least RBAC permissions that the runtime needs to run a controller, by what it does with each kind:
 * - The resource is watched, and its status is applied. Its finalizer is applied if the controller finalizes or owns
 *   objects that owner references do not reach. It is deleted if it may expire. The resource is read if it has changed meanwhile.
 *   OwnerReferencesPermissionEnforcement requires `update` on `finalizers` to set `blockOwnerDeletion`.
 *   A controller that reports elsewhere has no permission for the status, and applies the annotation of its report.
 * - Owned objects are watched by label, and listed before a finalizer is removed. They are read if a create finds the
 *   name taken. They are created, applied, updated if only values differ, and pruned.
 * - Objects of sibling controllers are watched by label.
 * - Referenced objects are watched. They are read when a resource is the first to refer to them.
 * - Polled and called ports add the permissions that their sources need. The resource is read before each call.
 * - Revisions of the spec are listed, created and deleted if specs may be rejected.
 * - Events are created and patched.
 */
export function rbacRulesOf(declared: Declared): PolicyRule[] {
  const { kind, owns, watchesSiblings, reads, calls, keepsRevisions } = declared;
  const finalizes = undoes(declared);
  const rule = (of: ObjectKind, resource: string, ...verbs: string[]): PolicyRule => ({
    apiGroups: [of.group],
    resources: [resource],
    verbs,
  });
  return [
    rule(
      kind,
      kind.plural,
      'list',
      'watch',
      ...(finalizes || calls.length > 0 ? ['get'] : []),
      ...(finalizes || declared.reportsTo === 'annotation' ? ['patch'] : []),
      ...(declared.expiresAt ? ['delete'] : []),
    ),
    ...(isSilent(declared) ? [] : [rule(kind, `${kind.plural}/status`, 'patch')]),
    ...(reportsElsewhere(declared) && owns.length === 0 ? [] : [rule(kind, `${kind.plural}/finalizers`, 'update')]),
    ...owns.map((owned) => rule(owned, owned.plural, ...verbsOf(owned))),
    ...watchesSiblings.map((seen) => rule(seen, seen.plural, 'list', 'watch')),
    ...kindsRead([{ reads }]).map((read) => rule(read, read.plural, 'list', 'watch', 'get')),
    ...[...portsOf(declared)].flatMap(({ rbacRules = [], secrets = [] }) => [...rbacRules, ...secretRules(secrets)]),
    ...(keepsRevisions === 'never'
      ? []
      : [rule(ControllerRevision, ControllerRevision.plural, 'list', 'create', 'delete')]),
    rule(Event, Event.plural, 'create', 'patch'),
  ];
}

/** The permission to read the Secrets that questions and requests name. */
function secretRules(secrets: readonly string[] | 'any'): PolicyRule[] {
  const rule = { apiGroups: [Secret.group], resources: [Secret.plural], verbs: ['get'] };
  if (secrets === 'any') return [rule];
  return secrets.length > 0 ? [{ ...rule, resourceNames: [...secrets] }] : [];
}

/** Each port once. */
function portsOf({ polls, calls }: Declared): ReadonlySet<Port> {
  return new Set([...Object.values(polls).map(({ port }) => port), ...calls]);
}

/** A shared object is never replaced as a whole, because other owners may have joined meanwhile. */
function verbsOf({ shared }: ObjectKind): string[] {
  return ['list', 'watch', 'get', 'create', ...(shared ? [] : ['update']), 'patch', 'delete'];
}

/** True if the controller writes nothing to the status of its resources. */
function isSilent({ ownedStatus, ...declared }: Declared): boolean {
  if (reportsElsewhere(declared)) return true;
  return ownedStatus.conditions.size === 0 && [...ownedStatus.fields].every((field) => field === 'conditions');
}
