import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlPlane } from '../../operator/testing/index.js';
import { parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import { only, type Rendered } from '../src/given-rendered.js';

// Its own, since it must be empty at first.
let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await ControlPlane.start();
});
afterAll(() => controlPlane?.stop());

const apply = ['apply', '--server-side', '-f', 'dist/'];
const operator = 'system:serviceaccount:reconstruct-system:reconstruct';

async function can(user: string, ...question: string[]): Promise<boolean> {
  const { stdout, stderr } = await controlPlane.kubectl(['auth', 'can-i', ...question, '--as', user]);
  if (!/^(yes|no)/.test(stdout)) throw new Error(`no answer: ${stdout}${stderr}`);
  return stdout.startsWith('yes');
}

describe('dist/', () => {
  test('applies in one go on an empty cluster, without a warning', async () => {
    const { code, stdout, stderr } = await controlPlane.kubectl(apply);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('deployment.apps/reconstruct serverside-applied');
  });

  test('is valid to the API server, which stores it as it is', async () => {
    const { code, stdout, stderr } = await controlPlane.kubectl([...apply, '--dry-run=server', '-o', 'json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const stored: Rendered[] = JSON.parse(stdout).items;
    const written: Rendered[] = ['dist/0000-crds.k8s.yaml', 'dist/0001-operator.k8s.yaml'].flatMap((file) =>
      parseYamlDocuments(readFileSync(file, 'utf8')),
    );
    expect(stored).toMatchObject(written);
  });

  test.each(['dist/examples/resource.k8s.yaml', 'dist/examples/construct.k8s.yaml'])('has a valid %s', async (file) => {
    // The definition is there, but it may take the API server a moment to serve its kind.
    await controlPlane.kubectl(['wait', '--for=condition=Established', 'crd/algorithms.ai.alien6.io']);
    const { code, stderr } = await controlPlane.kubectl(['apply', '--server-side', '--dry-run=server', '-f', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('has the manifests of a cluster without a Gateway controller: first the CRDs, then the class', async () => {
    const go = async (file: string) => {
      const { code, stderr } = await controlPlane.kubectl(['apply', '--server-side', '-f', `dist/gateway/${file}`]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    };
    await go('0000-definitions.k8s.yaml');
    await controlPlane.kubectl(['wait', '--for=condition=Established', 'crd', '--all']);
    await go('0001-class.k8s.yaml');
  });

  test.each<[boolean, string]>([
    [true, 'reconstruct-gateway-proxy'],
    [false, 'reconstruct-gateway-class'],
    [false, 'cluster-admin'],
  ])('lets the operator, %s, bind the role %s after that', async (allowed, role) => {
    expect(await can(operator, 'bind', `clusterroles.rbac.authorization.k8s.io/${role}`)).toBe(allowed);
  });

  test('admits the operator’s pods, and none that may do more', async () => {
    const objects = parseYamlDocuments(readFileSync('dist/0001-operator.k8s.yaml', 'utf8'));
    const { spec } = only(objects as Rendered[], 'Deployment')['spec'].template;
    const pod = (change: object) => {
      const metadata = { name: 'pod', namespace: 'reconstruct-system' };
      return { input: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...spec, ...change } }) };
    };
    const create = ['create', '--dry-run=server', '-f', '-'];
    expect(await controlPlane.kubectl(create, pod({}))).toMatchObject({ code: 0, stderr: '' });
    const { stderr } = await controlPlane.kubectl(create, pod({ hostNetwork: true }));
    expect(stderr).toContain('violates PodSecurity');
  });

  test.each<[boolean, string, ...string[]]>([
    [true, operator, 'watch', 'algorithms.ai.alien6.io', '-A'],
    [true, operator, 'patch', 'deployments.apps', '-n', 'any'],
    [true, operator, 'patch', 'algorithms.ai.alien6.io', '--subresource=status'],
    [true, operator, 'get', 'secrets', '-n', 'any'], // those of Databases
    [false, operator, 'deletecollection', 'secrets', '-n', 'any'],
    [false, operator, 'create', 'pods', '--subresource=exec', '-n', 'any'],
    [false, operator, 'create', 'algorithms.ai.alien6.io', '-n', 'any'],
    [true, operator, 'create', 'leases.coordination.k8s.io', '-n', 'reconstruct-system'],
    [true, operator, 'patch', 'leases.coordination.k8s.io/reconstruct', '-n', 'reconstruct-system'],
    [false, operator, 'patch', 'leases.coordination.k8s.io/another', '-n', 'reconstruct-system'],
    [false, operator, 'patch', 'leases.coordination.k8s.io/reconstruct', '-n', 'any'],
  ])('answers %s when %s wants to %s %s %s %s', async (allowed, user, ...question) => {
    expect(await can(user, ...question)).toBe(allowed);
  });

  test('grants view and edit of Algorithms to the ClusterRoles view and edit', async () => {
    await Promise.all(
      ['view', 'edit', 'admin'].map((role) =>
        controlPlane.kubectl([
          'create',
          'rolebinding',
          role,
          `--clusterrole=${role}`,
          `--user=${role}`,
          '-n',
          'default',
        ]),
      ),
    );
    const rights = async (user: string) =>
      Promise.all(
        [
          ['list', 'algorithms.ai.alien6.io'],
          ['get', 'algorithms.ai.alien6.io', '--subresource=scale'],
          ['create', 'algorithms.ai.alien6.io'],
          ['patch', 'algorithms.ai.alien6.io', '--subresource=scale'],
          ['patch', 'algorithms.ai.alien6.io', '--subresource=status'],
        ].map((question) => can(user, ...question, '-n', 'default')),
      );
    // The controller manager adds the roles to those of Kubernetes some moments later.
    await expect.poll(() => rights('view'), { timeout: 120_000 }).toEqual([true, true, false, false, false]);
    await expect.poll(() => rights('edit'), { timeout: 120_000 }).toEqual([true, true, true, true, false]);
    await expect.poll(() => rights('admin'), { timeout: 120_000 }).toEqual([true, true, true, true, false]);
  });
});
