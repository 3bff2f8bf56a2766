import { beforeAll, beforeEach, expect, test } from 'vitest';
import { install } from '../acceptance/given/operator.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';
import { RunningCommand } from './demo/running-command.js';
import { condition } from './status/given-conditions.js';

const controlPlane = givenControlPlane();
let namespace: string;
const apiVersion = 'reconstruct.dev/v1alpha1';

beforeAll(() => install(controlPlane));
beforeEach(async () => {
  namespace = await freshNamespace(controlPlane);
  const brokers = { storage: { size: '1Gi' } };
  await kubectl(['apply', '-f', '-'], {
    apiVersion,
    kind: 'KafkaCluster',
    metadata: { name: 'events' },
    spec: { brokers },
  });
  const spec = { cluster: { name: 'events' } };
  await kubectl(['apply', '-f', '-'], { apiVersion, kind: 'KafkaTopic', metadata: { name: 'orders' }, spec });
});

async function kubectl(args: readonly string[], input?: object): Promise<string> {
  const options = input === undefined ? {} : { input: JSON.stringify(input) };
  const { code, stdout, stderr } = await controlPlane.kubectl([...args, '--namespace', namespace], options);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Reports of a resource what the operator would. */
async function reported(resource: string, status: object): Promise<void> {
  const patch = JSON.stringify({ status: { observedGeneration: 1, ...status } });
  await kubectl(['patch', ...resource.split('/'), '--subresource=status', '--type=merge', '--patch', patch]);
}

async function command(...args: readonly string[]) {
  await using running = new RunningCommand([
    'kafka',
    ...args,
    '-n',
    namespace,
    '--kubeconfig',
    controlPlane.kubeconfig,
  ]);
  const code = await running.exited;
  return { code, lines: running.stdout.trimEnd().split('\n'), stderr: running.stderr };
}

test('kafka shows the topics of a cluster, its moves and its lag', async () => {
  await reported('kcl/events', {
    conditions: [
      condition('Ready', 'True', 'Ready'),
      condition('Balanced', 'Unknown', 'Moving', 'Broker 3 gets replicas'),
    ],
    rebalance: { partitions: 12, bytes: 1024 ** 3, estimatedSeconds: 21 },
    consumerGroups: [{ group: 'shop', topic: 'orders', lag: 70 }],
  });
  await reported('ktopic/orders', {
    conditions: [
      condition('Ready', 'False', 'Lost'),
      condition('Configured', 'False', 'Lost', 'The topic was deleted'),
    ],
  });
  expect((await command('topics', 'events')).lines.at(-1)).toMatch(/^orders +orders +False/);
  expect((await command('lag', 'events')).lines).toEqual(['GROUP  TOPIC   LAG', 'shop   orders  70']);
  expect(await command('rebalance', 'events')).toEqual({
    ...{ code: 0, stderr: '' },
    lines: [
      'Balanced Moving: Broker 3 gets replicas',
      'Plan: 12 partitions, 1 GiB, about 21s at 50Mi per second and broker',
    ],
  });
});

test('kafka exits with 2 for a KafkaCluster that does not exist', async () => {
  expect(await command('lag', 'event')).toEqual({
    ...{ code: 2, lines: [''] },
    stderr: `reconstruct: KafkaCluster ${namespace}/event not found; check the name and --namespace\n`,
  });
});
