import { BlockList, isIP } from 'node:net';
import type { MetricsPods } from '../../controllers/algorithm/ports/request-metrics.js';
import { selectorOf } from '../../runtime/controller/reads.js';
import type { ObjectKind } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../runtime/kubernetes/object.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { boundedPages } from './bounded-pages.js';

/** A pod that can be asked. */
export interface Pod {
  readonly name: string;
  readonly uid: string;
  readonly address: string;
}

interface LivePod extends LiveObject {
  readonly spec?: { readonly hostNetwork?: boolean };
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

const podKind: ObjectKind<LivePod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

/** Pods of one kind that are asked at the most: of more, these tell enough. */
const most = 50;

/** Pods that are looked at to find these. */
const mostListed = 500;

/** Addresses that are nobody's pod: the operator itself, and what a cloud tells its machines. */
const unasked = new BlockList();
unasked.addSubnet('127.0.0.0', 8);
unasked.addSubnet('169.254.0.0', 16);
unasked.addAddress('0.0.0.0');
unasked.addAddress('::1', 'ipv6');
unasked.addAddress('::', 'ipv6');
unasked.addSubnet('fe80::', 10, 'ipv6');

/**
 * The pods with some labels in one namespace that run and have an address of their own.
 *
 * Guarantee: no address comes from what a tenant can write. That of a pod is the kubelet's word; EndpointSlices can be
 * written by whoever has the right to, and a pod on the host's network has the address of the node.
 */
export async function podsWith(
  { labels }: Pick<MetricsPods, 'labels'>,
  { cluster, namespace, signal }: { cluster: Pick<Cluster, 'list'>; namespace: string; signal: AbortSignal },
): Promise<readonly Pod[]> {
  const labelSelector = selectorOf(labels);
  if (labelSelector === '') throw new Error('pods are asked for by no label, which is all of them: name one');
  const running: Pod[] = [];
  for await (const some of boundedPages(mostListed, { cluster, kind: podKind }, { namespace, labelSelector, signal }))
    running.push(...(some as readonly LivePod[]).flatMap(podIn));
  return running.sort((a, b) => (a.uid < b.uid ? -1 : 1)).slice(0, most);
}

function podIn({ metadata: { name, uid }, spec, status }: LivePod): readonly Pod[] {
  const address = status?.podIP ?? '';
  const family = isIP(address);
  if (status?.phase !== 'Running' || spec?.hostNetwork || family === 0) return [];
  return unasked.check(address, family === 6 ? 'ipv6' : 'ipv4') ? [] : [{ name, uid, address }];
}
