import { describe, expect, test } from 'vitest';
import { installedOperator } from '../../../cli/check/findings/installed-operator.js';
import { type Access, neededAccess, permissionFindings } from '../../../cli/check/findings/permissions.js';
import { type LiveBinding, type LiveRole, notGranted } from '../../../cli/check/findings/role-rules.js';
import { controllers, databaseControllers } from '../../../operator/controllers/index.js';
import { clusterGrant, leaseGrant, namespaceGrant } from '../../../src/install/access.js';
import { installationOf } from '../../../src/install/installation.js';
import { rightsWithin } from '../../../src/install/namespace-scope.js';
import { mergedRules } from '../../../src/rbac/rules.js';
import { givenDeployment, linesOf, place } from './given-installation.js';

const installation = installationOf(place.name, place.namespace);
const apply =
  'Apply your installation again, with --force-conflicts if the role was edited: your kustomization, or your release of the chart';
const account = 'ServiceAccount reconstruct-system/reconstruct';

/** The grants of an installation as the cluster has them. */
function granted(...grants: readonly { readonly role: unknown; readonly binding: unknown }[]) {
  return {
    roles: grants.map(({ role }) => role as LiveRole),
    bindings: grants.map(({ binding }) => binding as LiveBinding),
  };
}

describe('the permissions that are needed', () => {
  test('are exactly those that an installation grants', () => {
    const installed = installedOperator(givenDeployment(), place, controllers);
    const rules = mergedRules(controllers.flatMap(({ rbacRules }) => rbacRules));
    const roles = granted(clusterGrant(installation, rules), leaseGrant(installation));
    const needed = neededAccess(installed);
    expect(needed.length).toBeGreaterThan(200);
    expect(notGranted(needed, roles, place)).toEqual([]);
  });

  test('include the Lease of the operator itself, which no controller needs', () => {
    const needed = neededAccess(installedOperator(givenDeployment(), place, databaseControllers));
    const rules = mergedRules(databaseControllers.flatMap(({ rbacRules }) => rbacRules));
    const without = granted(clusterGrant(installation, rules));
    expect(notGranted(needed, without, place).map(({ resource, verb }) => `${verb} ${resource}`)).toEqual([
      'create leases',
      'get leases',
      'patch leases',
    ]);
  });

  test('are those in each watched namespace, if some are watched', () => {
    const args = ['--leader-elect', '--namespaces=a,b'];
    const installed = installedOperator(givenDeployment({ args }), place, databaseControllers);
    const rules = mergedRules(databaseControllers.flatMap(rightsWithin));
    const inA = namespaceGrant(installation, 'a', rules);
    const both = granted(inA, namespaceGrant(installation, 'b', rules), leaseGrant(installation));
    const needed = neededAccess(installed);
    expect(notGranted(needed, both, place)).toEqual([]);
    const lacking = notGranted(needed, granted(inA, leaseGrant(installation)), place);
    expect(new Set(lacking.map(({ namespace }) => namespace))).toEqual(new Set(['b']));
  });
});

describe('a role grants', () => {
  const access: Access = { group: 'apps', resource: 'deployments', verb: 'patch', namespace: 'a' };
  const all = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
  const own = { kind: 'ServiceAccount', ...place };
  const bound = (
    rule: object,
    { kind = 'Role', namespace = 'a' as string | undefined, subject = own as object } = {},
  ) => ({
    roles: [
      { metadata: { name: 'r', ...(kind === 'Role' && namespace && { namespace }) }, rules: [rule] },
    ] as LiveRole[],
    bindings: [
      { metadata: { name: 'r', ...(namespace && { namespace }) }, roleRef: { kind, name: 'r' }, subjects: [subject] },
    ] as LiveBinding[],
  });
  const rule = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] };

  test.each<[isGranted: boolean, when: string, roles: Parameters<typeof notGranted>[1], asked?: Partial<Access>]>([
    [true, 'its rule names all of it', bound(rule)],
    [true, 'its rule names everything', bound(all)],
    [false, 'the verb is another one', bound({ ...rule, verbs: ['get'] })],
    [false, 'the group is another one', bound({ ...rule, apiGroups: ['batch'] })],
    [false, 'the resource is another one', bound({ ...rule, resources: ['daemonsets'] })],
    [false, 'it is for one object', bound({ ...rule, resourceNames: ['web'] })],
    [true, 'it is for the object that is needed', bound({ ...rule, resourceNames: ['web'] }), { name: 'web' }],
    [false, 'it is for another object', bound({ ...rule, resourceNames: ['web'] }), { name: 'api' }],
    [false, 'a subresource is needed', bound(rule), { resource: 'deployments/status' }],
    [
      true,
      'it has the subresource of all',
      bound({ ...rule, resources: ['*/status'] }),
      { resource: 'deployments/status' },
    ],
    [false, 'the Role is in another namespace', bound(rule, { namespace: 'b' })],
    [true, 'a ClusterRole is bound in the namespace', bound(rule, { kind: 'ClusterRole' })],
    [false, 'a ClusterRole is bound in another namespace', bound(rule, { kind: 'ClusterRole', namespace: 'b' })],
    [true, 'a ClusterRole is bound in the cluster', bound(rule, { kind: 'ClusterRole', namespace: undefined })],
    [false, 'all namespaces are needed', bound(rule, { kind: 'ClusterRole' }), { namespace: undefined as never }],
    [false, 'it is bound to another account', bound(rule, { subject: { ...own, name: 'other' } })],
    [false, 'it is bound to the name in another namespace', bound(rule, { subject: { ...own, namespace: 'a' } })],
    [true, 'it is bound to all accounts', bound(rule, { subject: { kind: 'Group', name: 'system:serviceaccounts' } })],
    [
      true,
      'it is bound to the accounts of the namespace',
      bound(rule, { subject: { kind: 'Group', name: 'system:serviceaccounts:reconstruct-system' } }),
    ],
    [
      true,
      'it is bound to the user of the account',
      bound(rule, { subject: { kind: 'User', name: 'system:serviceaccount:reconstruct-system:reconstruct' } }),
    ],
    [false, 'its role does not exist', { ...bound(rule), roles: [] }],
  ])('is %s when %s', (isGranted, _, roles, asked = {}) => {
    const { namespace, ...rest } = { ...access, ...asked };
    const needed = [{ ...rest, ...(namespace !== undefined && { namespace }) }];
    expect(notGranted(needed, roles, place)).toEqual(isGranted ? [] : needed);
  });
});

describe('the findings about permissions', () => {
  const access = (verb: string, resource = 'pods', more: Partial<Access> = {}): Access => ({
    group: '',
    resource,
    verb,
    ...more,
  });
  const needed = [access('get'), access('list')];
  const findings = (lacking: Parameters<typeof permissionFindings>[2]) =>
    linesOf(permissionFindings({ serviceAccount: place }, needed, lacking));

  test('are one line if all are there', () => {
    expect(findings({ value: [] })).toEqual([`ok: ${account} has all 2 permissions that the controllers need`]);
  });

  test('are a line for each resource that lacks some', () => {
    const status = { group: 'apps', resource: 'deployments/status' };
    expect(
      findings({
        value: [
          access('get'),
          access('list'),
          access('patch', 'deployments/status', status),
          access('get', 'leases', { group: 'coordination.k8s.io', name: 'reconstruct', namespace: 'a' }),
        ],
      }),
    ).toEqual([
      `problem: ${account} may not get, list pods → ${apply}`,
      `problem: ${account} may not patch deployments.apps/status → ${apply}`,
      `problem: ${account} may not get leases.coordination.k8s.io reconstruct in namespace a → ${apply}`,
    ]);
  });

  test('are at most six lines', () => {
    const many = Array.from({ length: 12 }, (_, index) => access('get', `r${index}`));
    const lines = findings({ value: many });
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toContain('may not get r5, get r6, get r7 and 4 more');
  });

  test('are unknown if the user can neither ask nor read', () => {
    expect(findings({ missing: 'create subjectaccessreviews' })).toEqual([
      `unknown: What ${account} may do cannot be checked: you may not create subjectaccessreviews → Run the command as a user who may create subjectaccessreviews`,
    ]);
  });
});
