import { BlockList, isIP } from 'node:net';
import type { MetricsPods } from '../../controllers/algorithm/ports/request-metrics.js';
import { selectorOf } from '../../runtime/controller/reads.js';
import type { ObjectKind } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../runtime/kubernetes/object.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { boundedPages } from './bounded-pages.js';

/** A Pod that can be polled. */
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

/** Maximum number of Pods to poll for one side. Of more Pods, these are a sufficient sample. */
const most = 50;

/** Maximum number of Pods to list for that. */
const mostListed = 500;

/** Addresses that no Pod has: the operator itself, and the metadata service of a cloud. */
const unasked = new BlockList();
unasked.addSubnet('127.0.0.0', 8);
unasked.addSubnet('169.254.0.0', 16);
unasked.addAddress('0.0.0.0');
unasked.addAddress('::1', 'ipv6');
unasked.addAddress('::', 'ipv6');
unasked.addSubnet('fe80::', 10, 'ipv6');

/**
 * The running Pods with some labels in one namespace that have an address of their own.
 *
 * Guarantee: no address comes from an object that a tenant can write. The kubelet sets the address of a Pod. Tenants may
 * write EndpointSlices, so these are not used. A Pod on the host network has the address of its node, so it is skipped.
 */
export async function podsWith(
  { labels }: Pick<MetricsPods, 'labels'>,
  { cluster, namespace, signal }: { cluster: Pick<Cluster, 'list'>; namespace: string; signal: AbortSignal },
): Promise<readonly Pod[]> {
  const labelSelector = selectorOf(labels);
  if (labelSelector === '') throw new Error('the label selector must not be empty, because that selects all Pods');
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
