import type { Construct } from 'constructs';
import { PublishedFile } from '../../../../src/index.js';
import { dnsNames } from '../../../dns/dns-names.js';
import { ConfigMap, ExternalCall, keep } from '../../../runtime/index.js';
import { addressesWithPort } from '../addresses/subsets.js';
import { etcdKeys } from '../ports/etcd.js';
import { haproxy } from '../ports/haproxy.js';
import { dnsProviderWebhook } from '../ports/webhook.js';
import type { TargetRequest } from '../targets/target-reading.js';
import { planOf } from './plan/index.js';
import { type FileSituation, type Situation, type SlotSituation, situationOf } from './situation.js';
import { needsPort } from './target-states.js';
import type { PublicationView } from './view.js';

/** Renders the files, and the change of each target that is due. */
export function desire(scope: Construct, view: PublicationView): void {
  const situation = situationOf(view);
  const { isDeleting, files } = situation;
  if (!isDeleting) for (const file of files) renderFile(scope, file, situation);
  for (const { slot, change } of planOf(situation).calls) renderCall(scope, slot, change);
  if (isDeleting && isWaiting(situation)) keep(scope, undefined, 'more places must be cleaned up first');
}

/** Places beyond those that are asked about at one time. */
function isWaiting({ resource, slots, policy }: Situation): boolean {
  const asked = slots.filter(({ claim }) => claim).length;
  return policy === 'Sync' && (resource.status?.claims ?? []).length > asked;
}

function renderFile(scope: Construct, file: FileSituation, { list, resource }: Situation): void {
  const { configMap, format, name, port } = file.target;
  if (file.rival !== undefined || file.holder !== undefined) return;
  const ported = addressesWithPort(list.subsets, port);
  const isMissing = list.subsets.length > 0 && needsPort(file) && ported.length === 0;
  const isPending = list.subsets.length === 0 && list.host !== undefined;
  if (list.state === 'unknown' || isMissing || isPending) {
    keep(scope, { kind: ConfigMap, name: configMap }, list.problem?.message ?? 'its addresses are not known');
    return;
  }
  const { service, gateway, httpRoute } = resource.spec;
  const source = service ?? gateway ?? httpRoute ?? '';
  const names = name !== undefined ? [name] : (list.hostnames ?? [source]);
  new PublishedFile(scope, `file-${configMap}`, {
    ...{ name: configMap, publication: resource.metadata.name, namespace: resource.metadata.namespace ?? '' },
    ...{ format, names, source, subsets: list.subsets, ported },
  });
}

const ports = { dns: dnsNames, webhook: dnsProviderWebhook, haproxy, etcd: etcdKeys } as const;

/** Milliseconds. */
const timeout = 10_000;

function renderCall(scope: Construct, { poll, destination }: SlotSituation, change: TargetRequest): void {
  const secret = 'secret' in destination ? destination.secret : undefined;
  // Targets know nothing of one another, so one that does not answer holds up no other one.
  const common = { refreshes: [poll], timeout, independent: true, ...(secret !== undefined && { secret }) };
  // Each type has a request of its own, which the compiler cannot pair with the port.
  new ExternalCall<never>(scope, poll, { ...common, port: ports[change.type], request: change.request as never });
}
