import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlPlane } from '../../../../operator/testing/index.js';

let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await ControlPlane.start({ nodes: 3, controllerManager: 'none', audit: true });
}, 300_000);
afterAll(() => controlPlane?.stop());

async function kubectl(args: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await controlPlane.kubectl(args.split(' '), { input });
  if (code !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
  return stdout;
}

function pod(name: string, image: string, { metadata = {}, spec = {} }: { metadata?: object; spec?: object } = {}) {
  const containers = [{ name: 'server', image }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name.split('-')[0] }, ...metadata },
    spec: { containers, ...spec },
  };
}

const apply = (...items: readonly object[]) =>
  kubectl('apply -f -', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
const spread = {
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'works' } },
    },
  ],
};
const waiting = (reason: string) => `jsonpath={.status.containerStatuses[0].state.waiting.reason}=${reason}`;

describe('simulated nodes', { timeout: 300_000 }, () => {
  test('report that they are simulated', async () => {
    const nodes = await kubectl('get nodes');
    expect(nodes.match(/^simulated-\d +Ready .* simulated$/gm)).toHaveLength(3);
  });

  test('run Pods of each zone until they are deleted', async () => {
    await apply(...[1, 2, 3].map((number) => pod(`works-${number}`, 'server:1', { spec: spread })));
    await kubectl('wait pod --selector=app=works --for=condition=Ready --timeout=120s');
    const running = await kubectl('get pods --selector=app=works -o jsonpath={.items[*].spec.nodeName}');
    expect(new Set(running.split(' '))).toEqual(new Set(['simulated-1', 'simulated-2', 'simulated-3']));
    const addresses = await kubectl('get pods --selector=app=works -o jsonpath={.items[*].status.podIP}');
    expect(new Set(addresses.split(' ')).size).toBe(3);
    expect(await kubectl('delete pod works-1 works-2 works-3 --timeout=120s')).toContain('pod "works-3" deleted');
  });

  test.each([
    ['fails', 'server:failing', waiting('CrashLoopBackOff'), {}],
    ['lacks', 'missing/server:1', waiting('ImagePullBackOff'), {}],
    ['ends', 'job:1', 'jsonpath={.status.phase}=Succeeded', { restartPolicy: 'Never' }],
  ])('a Pod that %s: %s', async (name, image, becomes, spec) => {
    await apply(pod(name, image, { spec }));
    await kubectl(`wait pod ${name} --for=${becomes} --timeout=120s`);
  });

  test('a deleted Pod with a finalizer fails, and is gone after that', async () => {
    await apply(pod('held', 'server:1', { metadata: { finalizers: ['example.com/held'] } }));
    await kubectl('wait pod held --for=condition=Ready --timeout=120s');
    await kubectl('delete pod held --wait=false');
    await kubectl('wait pod held --for=jsonpath={.status.phase}=Failed --timeout=120s');
    await kubectl('patch pod held --type=merge -p {"metadata":{"finalizers":null}}');
    await kubectl('wait pod held --for=delete --timeout=120s');
  });

  test('write nothing for Pods that do not change', async () => {
    await apply(pod('rests', 'server:1'));
    await kubectl('wait pod rests --for=condition=Ready --timeout=120s');
    const since = await controlPlane.auditPosition();
    await apply(pod('comes', 'server:1'));
    await kubectl('wait pod comes --for=condition=Ready --timeout=120s');
    const requests = await controlPlane.requests(since);
    const writes = requests.filter(({ user, verb }) => user === 'simulated-nodes' && verb !== 'watch');
    expect(writes.map(({ verb, name }) => `${verb} ${name}`)).toEqual(['patch comes']);
  });

  test('can be stopped while the API server does not answer', async () => {
    await controlPlane.killApiServer();
    await controlPlane.stop();
  });
});
