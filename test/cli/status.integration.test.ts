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
  const spec = { brokers: { storage: { size: '1Gi' } } };
  await kubectl(['apply', '-f', '-'], { apiVersion, kind: 'KafkaCluster', metadata: { name: 'events' }, spec });
  const topic = { cluster: { name: 'events' } };
  await kubectl(['apply', '-f', '-'], { apiVersion, kind: 'KafkaTopic', metadata: { name: 'orders' }, spec: topic });
  await reported('kcl/events', [condition('Ready', 'True', 'Ready'), condition('Available', 'True', 'Serving')]);
  await reported('ktopic/orders', [
    condition('Ready', 'False', 'Lost', 'The topic was deleted'),
    condition('Configured', 'False', 'Lost', 'The topic was deleted'),
  ]);
});

async function kubectl(args: readonly string[], input?: object): Promise<void> {
  const options = input === undefined ? {} : { input: JSON.stringify(input) };
  const { code, stderr } = await controlPlane.kubectl([...args, '--namespace', namespace], options);
  expect(code, stderr).toBe(0);
}

/** Reports of a resource what the operator would. */
async function reported(resource: string, conditions: readonly object[]): Promise<void> {
  const patch = JSON.stringify({ status: { observedGeneration: 1, conditions } });
  await kubectl(['patch', ...resource.split('/'), '--subresource=status', '--type=merge', '--patch', patch]);
}

const status = (...args: readonly string[]) =>
  new RunningCommand(['status', ...args, '-n', namespace, '--kubeconfig', controlPlane.kubeconfig]);

async function command(...args: readonly string[]) {
  await using running = status(...args);
  const code = await running.exited;
  return { code, lines: running.stdout.trimEnd().split('\n'), stderr: running.stderr };
}

test('status lists all resources with the worst first, and exits with 1 for a problem', async () => {
  const { code, lines, stderr } = await command();
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(lines[1]).toMatch(/^KafkaTopic +orders +False +Lost/);
  expect(lines[2]).toMatch(/^KafkaCluster +events +True +Ready/);
  expect(lines).toContain(`  KafkaTopic ${namespace}/orders: Configured Lost: The topic was deleted`);
});

test('status shows one resource with what to do, by any of its names', async () => {
  for (const args of [['ktopic', 'orders'], ['kafkatopics/orders'], ['KafkaTopic.reconstruct.dev', 'orders']]) {
    const { code, lines } = await command(...args);
    expect(code).toBe(1);
    expect(lines[0]).toBe(`KafkaTopic ${namespace}/orders: Configured Lost: The topic was deleted`);
    expect(lines[1]).toMatch(/^To do: /);
  }
  const { code, lines } = await command('kcl', 'events', '-o', 'json');
  expect(code).toBe(0);
  expect(JSON.parse(lines.join('\n'))).toMatchObject({ kind: 'KafkaCluster', ready: 'True', problems: [] });
});

test('status shows a kind of Kubernetes, and how to get more', async () => {
  const { code, lines } = await command('sa', 'default');
  expect(code).toBe(0);
  expect(lines[0]).toBe(`ServiceAccount ${namespace}/default: No problems.`);
  expect(lines.at(-1)).toContain('--module');
});

test.each([
  { args: ['kcl', 'event'], error: () => `KafkaCluster ${namespace}/event not found; check the name and --namespace` },
  { args: ['kafkaclutser'], error: () => 'no kind kafkaclutser in the cluster or among the controllers' },
])('status $args exits with 2', async ({ args, error }) => {
  const { code, stderr } = await command(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(error());
});

test('status --watch prints each change', async () => {
  await using running = status('ktopic', 'orders', '--watch');
  await running.said('Configured Lost');
  await reported('ktopic/orders', [condition('Ready', 'True', 'Ready')]);
  await running.said(`KafkaTopic ${namespace}/orders: No problems.`);
});
