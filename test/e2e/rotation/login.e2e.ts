import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type SecretRotationResource, secretRotationKind } from '../../../imports/index.js';
import { Secret } from '../../../operator/index.js';
import { conditionOf } from '../../../operator/runtime/index.js';
import { account } from '../../acceptance/given/installation.js';
import { until } from '../../chaos/wait.js';
import { projectImage } from '../../images/project-images.js';
import { figure } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { operatorPods } from '../cluster/operator-pods.js';
import { small, TriedDatabase } from '../database/given/tried-database.js';

const namespace = givenNamespace('rotation');
const rotations = 3;

/** The labels and the Pod template of a consumer that logs in all the while. */
function podsOf(name: string, image: string) {
  const labels = { app: name };
  const container = {
    ...{ name: 'client', image, command: ['python3', '/program/consumer.py'] },
    env: [{ name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'orders-login', key: 'uri' } } }],
    volumeMounts: [{ name: 'program', mountPath: '/program' }],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
  const spec = {
    ...{ automountServiceAccountToken: false, terminationGracePeriodSeconds: 20, containers: [container] },
    securityContext: { runAsNonRoot: true, runAsUser: 999, seccompProfile: { type: 'RuntimeDefault' } },
    volumes: [{ name: 'program', configMap: { name: 'consumer' } }],
  };
  return { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
}

/** A Deployment of two Pods. */
function consumer(name: string, image = projectImage('postgres', '15.20')): object {
  const strategy = { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name } },
    spec: { replicas: 2, strategy, ...podsOf(name, image) },
  };
}

/** A StatefulSet of two Pods, which a person replaces. */
function manual(name: string): object {
  const strategy = { updateStrategy: { type: 'OnDelete' }, podManagementPolicy: 'Parallel' };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { namespace, name } },
    spec: { replicas: 2, serviceName: name, ...strategy, ...podsOf(name, projectImage('postgres', '15.20')) },
  };
}

function rotation(consumers: readonly string[], statefulSets: readonly string[] = []): object {
  const spec = {
    ...{ secretName: 'orders-login', source: { database: { name: 'orders' } }, every: '1m', overlap: '20s' },
    consumers: [
      ...consumers.map((deployment) => ({ deployment })),
      ...statefulSets.map((statefulSet) => ({ statefulSet })),
    ],
  };
  return {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SecretRotation', metadata: { namespace, name: 'orders-app' } },
    spec,
  };
}

const live = async () => (await read(secretRotationKind, { namespace, name: 'orders-app' })) as SecretRotationResource;
const reason = async (type: string) => {
  const found = conditionOf(await live(), type);
  return `${found?.reason}: ${found?.message}`;
};
const waitFor = (what: string, isSo: () => Promise<boolean>, within = 120) =>
  until(isSo, { what, within: within * 1000 * slower, every: 500 });

async function login(): Promise<{ readonly username: string; readonly password: string }> {
  const secret = await read(Secret, { namespace, name: 'orders-login' });
  const text = (key: string) => Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();
  return { username: text('username'), password: text('password') };
}

describe('line 7: the login of a Database that rotates every minute', () => {
  const orders = new TriedDatabase(namespace, 'orders', { ...small, replicas: 2 });
  const passwords = new Set<string>();

  /** Whether PostgreSQL accepts a login. The password is in the standard input. */
  const accepts = async ({ username, password }: Awaited<ReturnType<typeof login>>) => {
    const pod = (await orders.primary()).metadata.name;
    const shell = `read -r PGPASSWORD; export PGPASSWORD; psql -qAtX -h orders-rw -U ${username} -d app -c 'SELECT 1'`;
    const args = ['--namespace', namespace, 'exec', '-i', pod, '-c', 'postgres', '--', 'sh', '-c', shell];
    return kubectl(args, `${password}\n`).then(
      () => true,
      () => false,
    );
  };

  beforeAll(async () => {
    const data = { 'consumer.py': await readFile('test/e2e/rotation/consumer.py', 'utf8') };
    await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'consumer' }, data });
    await orders.begin();
    await orders.sql('SET role = app; CREATE TABLE written (by text); CREATE TABLE failures (why text)');
    await applied(rotation(['shop']), consumer('shop'));
  });

  it(`is replaced ${rotations} times, and no client notices`, async () => {
    const earlier: Awaited<ReturnType<typeof login>>[] = [];
    for (let n = 0; n <= rotations; n++) {
      await waitFor('a new login', async () => {
        const { password } = await login();
        return password !== '' && !passwords.has(password);
      });
      const now = await login();
      passwords.add(now.password);
      earlier.push(now);
      await waitFor('each consumer has it', async () => (await reason('Adopted')).startsWith('Current'));
      await waitFor('the earlier one is refused', async () => (await reason('Retired')).startsWith('Refused'));
      const [last] = earlier.slice(-2, -1);
      if (last) expect(await accepts(last)).toBe(false);
    }
    expect(await orders.sql('SELECT why FROM failures')).toBe('');
    expect(await orders.sql('SELECT DISTINCT by FROM written ORDER BY by')).toBe('orders_app_a\norders_app_b');
    figure(7, `${rotations} rotations, ${await orders.sql('SELECT count(*) FROM written')} rows written, 0 failures`);
  });

  it('keeps the earlier login while one of its consumers does not come up, and names it', async () => {
    await applied(rotation(['shop', 'broken']), consumer('broken'));
    await waitFor('both have it', async () => (await live()).status?.consumers === '2/2');
    await applied(consumer('broken', 'registry.example.com/none:1'));
    const earlier = await login();
    await waitFor('a new login', async () => (await login()).password !== earlier.password);
    passwords.add((await login()).password);
    await waitFor('the consumer is named', async () => (await reason('Adopted')).includes('Deployment broken'));
    // Longer than overlap.
    await waitFor('shop has it', async () => (await live()).status?.consumers === '1/2');
    await new Promise((done) => setTimeout(done, 30_000));
    expect(await accepts(earlier)).toBe(true);
    expect(await reason('Retired')).toMatch(/^WaitingForConsumers/);
    // Its Pods of the earlier template have sessions of the earlier login.
    await kubectl(['--namespace', namespace, 'delete', 'deployment', 'broken']);
    await applied(rotation(['shop']));
    await waitFor('the earlier one is refused', async () => (await reason('Retired')).startsWith('Refused'));
    expect(await accepts(earlier)).toBe(false);
    expect(await orders.sql('SELECT why FROM failures')).toBe('');
  });

  it('waits for a person who deletes the Pods of a StatefulSet with the strategy OnDelete, and rotates on', async () => {
    await applied(rotation(['shop'], ['manual']), manual('manual'));
    for (let n = 0; n < 2; n++) {
      await waitFor('the StatefulSet is named', async () =>
        (await reason('Adopted')).includes('manual has the update strategy OnDelete'),
      );
      const earlier = await login();
      await kubectl(['--namespace', namespace, 'delete', 'pods', '--selector=app=manual']);
      await waitFor('each consumer has it', async () => (await reason('Adopted')).startsWith('Current'));
      await waitFor('the earlier one is refused', async () => (await reason('Retired')).startsWith('Refused'));
      await waitFor('a new login', async () => (await login()).password !== earlier.password);
      passwords.add((await login()).password);
    }
    await kubectl(['--namespace', namespace, 'delete', 'statefulset', 'manual']);
    await applied(rotation(['shop']));
    expect(await orders.sql('SELECT why FROM failures')).toBe('');
  });

  it('line 11: has no password in a status, an event or the log of the operator', async () => {
    const logs = (await operatorPods()).map(({ metadata }) =>
      kubectl(['--namespace', account.namespace, 'logs', metadata.name]),
    );
    const shown = kubectl(['--namespace', namespace, 'get', 'rot,events,deployments,pods', '--output=yaml']);
    const said = await Promise.all([shown, ...logs]);
    expect(said.every((text) => text.length > 0)).toBe(true);
    expect([...passwords].filter((password) => said.some((text) => text.includes(password)))).toEqual([]);
  });
});
