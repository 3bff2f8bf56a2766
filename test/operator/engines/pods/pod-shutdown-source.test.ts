import { expect, it, test } from 'vitest';
import type { PodShutdownAnswer } from '../../../../operator/controllers/publication/ports/pod-shutdown.js';
import { podShutdownFrom } from '../../../../operator/engines/pods/pod-shutdown-source.js';
import { Pod } from '../../../../operator/runtime/index.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';

async function shutdownsOf(spec: object, pods: readonly string[] = ['web']): Promise<PodShutdownAnswer['pods']> {
  const cluster = new MemoryCluster();
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' }, spec };
  await cluster.apply(Pod, pod, { manager: 'user' });
  const source = podShutdownFrom(cluster).source as unknown as (
    question: object,
    options: object,
  ) => Promise<PodShutdownAnswer>;
  const answer = await source({ namespace: 'shop', pods }, { signal: new AbortController().signal });
  return answer.pods;
}

const preStop = (hook: object) => ({ containers: [{ name: 'web', lifecycle: { preStop: hook } }] });

test.each<[hook: string, spec: object, seconds: number | undefined]>([
  ['none', { containers: [{ name: 'web' }] }, 0],
  ['sleep', preStop({ sleep: { seconds: 60 } }), 60],
  ['the program sleep', preStop({ exec: { command: ['/bin/sleep', '45'] } }), 45],
  ['sleep in a shell', preStop({ exec: { command: ['sh', '-c', 'nginx -s quit; sleep 30'] } }), 30],
  ['a program of its own', preStop({ exec: { command: ['/bin/drain'] } }), undefined],
  ['a request', preStop({ httpGet: { path: '/quit', port: 80 } }), undefined],
])('a container with the hook: %s', async (_, spec, seconds) => {
  const [pod] = await shutdownsOf(spec);
  expect(pod?.containers[0]?.sleep).toBe(seconds);
});

it('a Pod has its grace period and its ports, and one that is gone is missing', async () => {
  const spec = { terminationGracePeriodSeconds: 90, containers: [{ name: 'web', ports: [{ containerPort: 8080 }] }] };
  expect(await shutdownsOf(spec, ['web', 'gone'])).toEqual([
    { name: 'web', isMissing: false, gracePeriodSeconds: 90, containers: [{ name: 'web', ports: [8080], sleep: 0 }] },
    { name: 'gone', isMissing: true, gracePeriodSeconds: 0, containers: [] },
  ]);
  expect((await shutdownsOf({ containers: [{ name: 'web' }] }))[0]?.gracePeriodSeconds).toBe(30);
});
