import type { Controller } from '../../../operator/runtime/controller/controller.js';
import { distinct, groupKindOf, type ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';
import { type Finding, findingsOf } from './finding.js';

const { info, ok } = findingsOf('optional kinds');

/** The kinds of others that controllers can do without: they declare them as `optional`. */
export function optionalKinds(controllers: readonly Controller[]): readonly ObjectKind[] {
  const own = ownGroups(controllers);
  // Every API server has the kinds of the core group.
  return distinct(controllers.flatMap(kindsOf)).filter(
    ({ optional, group }) => optional && group !== '' && !own.has(group),
  );
}

/** The API groups of the kinds that an installation brings. */
export function ownGroups(controllers: readonly Controller[]): ReadonlySet<string> {
  const leading = controllers.filter(({ kind, reportsTo }) => reportsTo === 'status' && !kind.optional);
  return new Set(leading.map(({ kind }) => kind.group));
}

function kindsOf({ kind, owns, reads }: Controller): readonly ObjectKind[] {
  return [kind, ...owns, ...Object.values(reads).map((read) => read.kind)];
}

/**
 * Which optional kinds the cluster lacks: a finding for each API group.
 * @param served the kinds that the API server serves
 */
export function optionalFindings(
  controllers: readonly Controller[],
  served: (kind: ObjectKind) => boolean,
): readonly Finding[] {
  const all = optionalKinds(controllers);
  return [...new Set(all.map(({ group }) => group))].map((group) => {
    const kinds = all.filter((kind) => kind.group === group);
    const lacking = kinds.filter((kind) => !served(kind));
    const names = (some: readonly ObjectKind[]) => some.map(({ kind }) => kind).join(', ');
    if (lacking.length === 0) return ok(`The cluster has ${names(kinds)} of ${group}`);
    const users = controllers.filter((one) =>
      kindsOf(one).some((kind) => lacking.some((other) => groupKindOf(kind) === groupKindOf(other))),
    );
    return info(
      `The cluster lacks ${names(lacking)} of ${group}. Without it, controllers ${users.map(({ name }) => name).join(', ')} do less`,
      group === gatewayGroup ? 'If Algorithms need a Gateway, see "Gateways" in docs/installing.md' : undefined,
    );
  });
}

const gatewayGroup = 'gateway.networking.k8s.io';
