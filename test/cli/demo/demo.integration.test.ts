import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';
import { RunningCommand } from './running-command.js';

const demo = (...args: readonly string[]) => new RunningCommand(['demo', ...args]);
const name = 'recommendation-engine-v2';
const kinds = ['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'];

describe('the demo', { timeout: 300_000 }, () => {
  test('with --once ends after both changes were repaired, and leaves nothing behind', async () => {
    await using running = demo('--once');
    await running.said(`+ ConfigMap ${name}`);
    const { started } = running;
    expect(started.length).toBeGreaterThan(0);
    expect({ code: await running.exited, stderr: running.stderr }).toEqual({ code: 0, stderr: '' });
    for (const kind of kinds) expect(running.stdout).toContain(`+ ${kind} ${name}`);
    expect(running.stdout).toContain('Accepted=True Valid');
    const repaired = [
      'Ready=True',
      'the demo changes spec.image',
      `~ Deployment ${name} .*image`,
      'Ready=True',
      'the demo deletes Service',
      `- Service ${name}`,
      `\\+ Service ${name}`,
    ];
    expect(running.stdout).toMatch(new RegExp(repaired.join('.*'), 's'));
    await running.nothingLeft(started);
  });

  describe('while it runs', () => {
    let running: RunningCommand;
    /** What there is to try, by how it begins; each line is run as it stands, in a shell that had the lines before. */
    const trial = (begin: string) => {
      const lines = running.lines.map((line) => line.trim());
      const command = lines.find((line) => line.startsWith(begin));
      const setup = lines.filter((line) => /^(export|alias) /.test(line));
      if (command === undefined) throw new Error(`nothing to try begins with ${begin}`);
      return execFileSync('/bin/sh', ['-c', [...setup, command].join('\n')], { encoding: 'utf8' });
    };
    const trying = async (begin: string, comes: string | RegExp) => {
      const since = running.stdout.length;
      trial(begin);
      await running.said(comes, since);
    };

    beforeAll(async () => {
      running = demo();
      await running.said('press Ctrl-C to stop everything');
    }, 300_000);
    afterAll(() => running?.[Symbol.asyncDispose](), 300_000);

    test('says that the nodes are simulated, and how to look at the resource', () => {
      expect(running.stdout).toContain('the nodes of this cluster are simulated');
      expect(trial('kubectl get algo')).toMatch(
        /recommendation-engine-v2\s+True\s+Running\s+2\.1\.5\s+registry\.alien6\.io/,
      );
    });

    test.each([
      ['kubectl patch algo', `~ HorizontalPodAutoscaler ${name}  spec.maxReplicas 10 → 5`],
      ['kubectl delete service', new RegExp(`- Service ${name}\\n.*\\+ Service ${name}`)],
      ['kubectl scale deployment', `~ Deployment ${name}  spec.replicas 1 → 4`],
      ['kubectl label configmap', `~ ConfigMap ${name}  metadata.labels.mine added "yes"`],
      ['kill -9', 'the operator exited and was restarted as process'],
      ['kubectl delete algo', `- Algorithm ${name}`],
      ['kubectl apply --server-side', `+ Algorithm ${name}`],
    ])('%s … shows %s', (begin, comes) => trying(begin, comes));

    test('leaves nothing behind when it is killed', async () => {
      const { started } = running;
      running.signal('SIGKILL');
      expect(await running.exited).toBe(null);
      await running.nothingLeft(started);
    });
  });
});

describe('on a cluster that is there', { timeout: 300_000 }, () => {
  const controlPlane = givenControlPlane();
  let namespace: string;
  let administrator: string;
  beforeAll(async () => {
    namespace = await freshNamespace(controlPlane, 'demo');
    administrator = await controlPlane.addUser({ name: 'demo', groups: ['system:masters'] });
    await useNamespace(administrator);
  }, 300_000);

  async function useNamespace(kubeconfig: string): Promise<void> {
    const set = ['config', 'set-context', '--current', '--namespace', namespace];
    expect(await controlPlane.kubectl(set, { kubeconfig })).toMatchObject({ code: 0 });
  }

  /** Who asked the API server for something, from a position of the audit log on. */
  const users = async (since: number) => new Set((await controlPlane.requests(since)).map(({ user }) => user));
  const operator = 'system:serviceaccount:reconstruct-system:reconstruct';

  test('the operator has the rights of dist/, and what was applied stays', async () => {
    const since = await controlPlane.auditPosition();
    await using running = demo('--once', '--kubeconfig', administrator);
    expect({ code: await running.exited, stderr: running.stderr }).toEqual({ code: 0, stderr: '' });
    expect(running.stdout).toContain('with the permissions of service account reconstruct-system/reconstruct');
    const requests = await controlPlane.requests(since);
    const creates = requests.filter(
      (one) => one.verb === 'create' && one.resource === 'horizontalpodautoscalers' && one.namespace === namespace,
    );
    expect(creates.map(({ user }) => user)).toEqual([operator]);
    expect(running.stdout).toContain('the applied objects stay; to delete them: kubectl delete -f ');
    const { stdout } = await controlPlane.kubectl(['get', 'algo', '-o', 'name', '--namespace', namespace]);
    expect(stdout.trim()).toBe(`algorithm.ai.alien6.io/${name}`);
    await running.nothingLeft([]);
  });

  test('the operator has the rights of the kubeconfig where no token is given, and Ctrl-C stops it', async () => {
    const installer = await controlPlane.addUser({ name: 'installer' });
    const granted = await controlPlane.kubectl(['apply', '-f', '-'], { input: everythingButTokens('installer') });
    expect(granted).toMatchObject({ code: 0 });
    await useNamespace(installer);
    const since = await controlPlane.auditPosition();
    await using running = demo('--kubeconfig', installer);
    await running.said('press Ctrl-C to stop everything');
    const { started } = running;
    running.signal('SIGINT');
    expect({ code: await running.exited, stderr: running.stderr }).toEqual({ code: 0, stderr: '' });
    expect(running.stdout).toMatch(
      /with the permissions of .*installer.*kubeconfig: .*cannot create resource "serviceaccounts\/token"/,
    );
    expect(await users(since)).toContain('installer');
    expect(await users(since)).not.toContain(operator);
    await running.nothingLeft(started);
  });
});

function everythingButTokens(user: string): string {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name: user };
  const groups = ['ai.alien6.io', 'apiextensions.k8s.io', 'apps', 'autoscaling', 'batch', 'coordination.k8s.io'];
  const further = [
    'discovery.k8s.io',
    'events.k8s.io',
    'gateway.networking.k8s.io',
    'networking.k8s.io',
    'policy',
    'rbac.authorization.k8s.io',
    'reconstruct.dev',
  ];
  const rules = [
    { apiGroups: [...groups, ...further], resources: ['*'], verbs: ['*'] },
    {
      apiGroups: [''],
      resources: [
        'configmaps',
        'namespaces',
        'nodes',
        'persistentvolumeclaims',
        'pods',
        'secrets',
        'serviceaccounts',
        'services',
      ],
      verbs: ['*'],
    },
  ];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
  const items = [
    { apiVersion, kind: 'ClusterRole', metadata, rules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects },
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}
