import { describe, expect, test } from 'vitest';
import { podsWith } from '../../../../operator/engines/metrics/pods.js';
import type { ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { withMost } from './given-large-pods.js';

const podKind: ObjectKind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const labels = { app: 'web' };

interface GivenPod {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly status?: object;
}

async function addressesOf(
  pods: readonly GivenPod[],
  through: (cluster: Cluster) => Pick<Cluster, 'list'> = (cluster) => cluster,
): Promise<readonly string[]> {
  const cluster = new MemoryCluster();
  for (const [index, { namespace = 'team', spec = {}, ...pod }] of pods.entries()) {
    const metadata = { name: `web-${index}`, namespace, labels: pod.labels ?? labels };
    const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: pod.status ?? running('10.0.0.1') };
    for (const part of [{}, { subresource: 'status' }] as const) {
      await cluster.apply(podKind, object as Manifest, { manager: 'somebody', ...part });
    }
  }
  const place = { cluster: through(cluster), namespace: 'team', signal: new AbortController().signal };
  return (await podsWith({ labels }, place)).map(({ address }) => address);
}

const running = (podIP: string) => ({ phase: 'Running', podIP });

describe('a pod', () => {
  test.each<{ when: string; pod: GivenPod }>([
    { when: 'it runs', pod: {} },
    { when: 'its address is of IPv6', pod: { status: running('fd00::1') } },
    { when: 'it is not ready', pod: { status: { ...running('10.0.0.1'), conditions: [] } } },
  ])('is asked when $when', async ({ pod }) => {
    expect(await addressesOf([pod])).toHaveLength(1);
  });

  test.each<{ when: string; pod: GivenPod }>([
    { when: 'it is in another namespace', pod: { namespace: 'other' } },
    { when: 'it has other labels', pod: { labels: { app: 'api' } } },
    { when: 'it does not run yet', pod: { status: { phase: 'Pending', podIP: '10.0.0.1' } } },
    { when: 'it has ended', pod: { status: { phase: 'Succeeded', podIP: '10.0.0.1' } } },
    { when: 'it has no address', pod: { status: { phase: 'Running' } } },
    { when: "its address is its node's", pod: { spec: { hostNetwork: true } } },
    { when: 'its address is a name', pod: { status: running('kubernetes.default.svc') } },
    { when: 'its address is a URL', pod: { status: running('10.0.0.1:80/secret#') } },
    { when: 'its address is the operator itself', pod: { status: running('127.0.0.1') } },
    { when: 'its address is the operator itself, in IPv6', pod: { status: running('::1') } },
    { when: 'its address is the operator itself, in disguise', pod: { status: running('::ffff:127.0.0.1') } },
    { when: "its address is a cloud's", pod: { status: running('169.254.169.254') } },
    { when: 'its address is of the link', pod: { status: running('fe80::1') } },
  ])('is not asked when $when', async ({ pod }) => {
    expect(await addressesOf([pod])).toEqual([]);
  });

  test('is asked beside at most 49 others', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ status: running(`10.0.0.${index}`) }));
    expect(await addressesOf(many)).toHaveLength(50);
  });

  test('R9 R34 is asked also where so many pods at once are more than is taken in', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ status: running(`10.0.0.${index}`) }));
    expect(await addressesOf(many, withMost(1))).toHaveLength(50);
  });

  test('is not asked for by no label: that would be all there are', async () => {
    const place = { cluster: new MemoryCluster(), namespace: 'team', signal: new AbortController().signal };
    await expect(podsWith({ labels: {} }, place)).rejects.toThrow('must not be empty');
  });
});
