import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { freshNamespace, givenControlPlane } from '../../../given/control-plane.js';

const controlPlane = givenControlPlane();

const pod = (namespace: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'probe', namespace },
  spec: { containers: [{ name: 'probe', image: 'probe' }], ...spec },
});

describe('a control plane', () => {
  it('answers with certificates that its authority signed, as an administrator', async () => {
    const { stdout } = await controlPlane.kubectl(['auth', 'whoami', '--output', 'jsonpath={.status.userInfo.groups}']);
    expect(JSON.parse(stdout)).toEqual(['system:masters', 'system:authenticated']);
  });

  it('has the controllers of a cluster: a Deployment gets its ReplicaSet, and garbage is collected', async () => {
    const namespace = await freshNamespace(controlPlane);
    await controlPlane.kubectl(['create', 'deployment', 'web', '--image', 'web', '--namespace', namespace]);
    const created = await controlPlane.kubectl([
      'wait',
      '--for=create',
      'replicaset',
      '--selector',
      'app=web',
      '--namespace',
      namespace,
    ]);
    expect(created).toMatchObject({ code: 0 });
    await controlPlane.kubectl(['delete', 'deployment', 'web', '--namespace', namespace]);
    const gone = await controlPlane.kubectl([
      'wait',
      '--for=delete',
      'replicaset',
      '--selector',
      'app=web',
      '--namespace',
      namespace,
    ]);
    expect(gone).toMatchObject({ code: 0 });
  });

  it('enforces Pod Security', async () => {
    const namespace = await freshNamespace(controlPlane);
    await controlPlane.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
    const input = JSON.stringify(pod(namespace, { hostNetwork: true }));
    const { code, stderr } = await controlPlane.kubectl(['create', '--filename', '-'], { input });
    expect(code).toBe(1);
    expect(stderr).toContain('violates PodSecurity "restricted:latest": host namespaces');
  });
});

describe('a user of a control plane', () => {
  const mayRead = (kubeconfig: string, namespace: string) =>
    controlPlane.kubectl(['get', 'configmaps', '--namespace', namespace], { kubeconfig });

  it('has the name and the groups given, and the rights that RBAC gives these', async () => {
    const namespace = await freshNamespace(controlPlane);
    const kubeconfig = await controlPlane.addUser({ name: `jane:${namespace}`, groups: ['readers'] });
    expect((await mayRead(kubeconfig, namespace)).stderr).toContain(`User "jane:${namespace}" cannot list`);
    await controlPlane.kubectl([
      'create',
      'rolebinding',
      'read',
      '--clusterrole=view',
      '--group=readers',
      '--namespace',
      namespace,
    ]);
    expect(await mayRead(kubeconfig, namespace)).toMatchObject({ code: 0 });
  });

  it('can be a service account', async () => {
    const namespace = await freshNamespace(controlPlane);
    await controlPlane.kubectl(['create', 'serviceaccount', 'robot', '--namespace', namespace]);
    const kubeconfig = await controlPlane.serviceAccountKubeconfig({ namespace, name: 'robot', minutes: 90 });
    const { stderr } = await mayRead(kubeconfig, namespace);
    expect(stderr).toContain(`User "system:serviceaccount:${namespace}:robot" cannot list`);
    const [, claims = ''] = /token: "?[^.\s]+\.([^.\s]+)\./.exec(await readFile(kubeconfig, 'utf8')) ?? [];
    const { exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    expect(exp - iat).toBe(90 * 60);
  });

  it('cannot be a service account that does not exist', async () => {
    const absent = controlPlane.serviceAccountKubeconfig({ namespace: 'default', name: 'nobody' });
    await expect(absent).rejects.toThrow(
      'no token for service account default/nobody: error: failed to create token: serviceaccounts "nobody" not found',
    );
  });
});

describe('the audit log of a control plane', () => {
  it('has each request by the time its caller has the answer', async () => {
    const before = await controlPlane.auditPosition();
    const namespace = await freshNamespace(controlPlane);
    const own = (await controlPlane.requests(before)).filter(({ user, verb }) => user === 'admin' && verb === 'create');
    expect(own).toEqual([
      expect.objectContaining({
        verb: 'create',
        group: '',
        resource: 'namespaces',
        name: namespace,
        code: 201,
        complete: true,
      }),
    ]);
  });

  it('begins where it is asked to', async () => {
    const all = await controlPlane.requests();
    const position = await controlPlane.auditPosition();
    await controlPlane.kubectl(['get', 'namespaces', 'default']);
    const later = await controlPlane.requests(position);
    expect(later).toContainEqual(
      expect.objectContaining({ verb: 'get', resource: 'namespaces', name: 'default', user: 'admin' }),
    );
    const earlier = new Set(all.filter(({ verb }) => verb !== 'watch').map(({ auditID }) => auditID));
    expect(later.filter(({ auditID }) => earlier.has(auditID))).toEqual([]);
  });

  it('has a watch once, from its start on', async () => {
    const namespace = await freshNamespace(controlPlane);
    const watches = async () =>
      (await controlPlane.requests()).filter((request) => request.verb === 'watch' && request.namespace === namespace);
    await controlPlane.kubectl(['get', 'configmaps', '--watch-only', '--request-timeout=1s', '--namespace', namespace]);
    expect(await watches()).toEqual([expect.objectContaining({ resource: 'configmaps', code: 200 })]);
  });
});
