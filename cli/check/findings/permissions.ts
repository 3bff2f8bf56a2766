import { rightsWithin } from '../../../src/install/namespace-scope.js';
import { mergedRules } from '../../../src/rbac/rules.js';
import { counted, type Finding, findingsOf, someOf } from './finding.js';
import type { InstalledOperator } from './installed-operator.js';
import type { Reading } from './reading.js';

/** One permission, as a SubjectAccessReview names it. */
export interface Access {
  /** Undefined for all namespaces, and for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly group: string;
  /** With its subresource, such as `databases/status`. */
  readonly resource: string;
  readonly verb: string;
  /** The name of an object. @default - every object */
  readonly name?: string;
}

const { ok, problem, unknown } = findingsOf('permissions');

/** Every permission that the controllers need, and those for the Lease. */
export function neededAccess({ controllers, namespaces, lease }: InstalledOperator): readonly Access[] {
  const rules = mergedRules(controllers.flatMap(namespaces.length > 0 ? rightsWithin : ({ rbacRules }) => rbacRules));
  const of = rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [undefined] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          resourceNames.map((name): Access => ({ group, resource, verb, ...(name !== undefined && { name }) })),
        ),
      ),
    ),
  );
  const everywhere =
    namespaces.length === 0 ? of : namespaces.flatMap((namespace) => of.map((one) => ({ ...one, namespace })));
  return [...everywhere, ...(lease ? leaseAccess(lease) : [])];
}

function leaseAccess({ namespace, name }: NonNullable<InstalledOperator['lease']>): readonly Access[] {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', ...(namespace !== undefined && { namespace }) };
  return [{ ...lease, verb: 'create' }, ...['get', 'patch'].map((verb) => ({ ...lease, verb, name }))];
}

/** Which of the permissions the operator lacks: one finding for each resource. */
export function permissionFindings(
  { serviceAccount }: Pick<InstalledOperator, 'serviceAccount'>,
  needed: readonly Access[],
  lacking: Reading<readonly Access[]>,
): readonly Finding[] {
  const title = `ServiceAccount ${serviceAccount.namespace}/${serviceAccount.name}`;
  if ('missing' in lacking) return [unknown(`What ${title} may do`, lacking.missing)];
  if (lacking.value.length === 0)
    return [ok(`${title} has all ${counted(needed.length, 'permission')} that the controllers need`)];
  const places = new Map<string, Access[]>();
  for (const access of lacking.value) {
    const key = `${resourceOf(access)}${access.namespace === undefined ? '' : ` in namespace ${access.namespace}`}`;
    places.set(key, [...(places.get(key) ?? []), access]);
  }
  const action =
    'Apply your installation again, with --force-conflicts if the role was edited: your kustomization, or your release of the chart';
  const rows = [...places].map(([place, all]) => `${all.map(({ verb }) => verb).join(', ')} ${place}`);
  const shown = rows.slice(0, 5).map((row) => problem(`${title} may not ${row}`, action));
  if (rows.length <= shown.length) return shown;
  return [...shown, problem(`${title} may not ${someOf(rows.slice(shown.length))}`, action)];
}

function resourceOf({ group, resource, name }: Access): string {
  const [plural = '', ...below] = resource.split('/');
  const full = group === '' ? plural : `${plural}.${group}`;
  return `${[full, ...below].join('/')}${name === undefined ? '' : ` ${name}`}`;
}
