import type { EtcdClusterResource } from '../../../imports/index.js';
import { etcdClientUrl, etcdObjectNames } from '../../../src/index.js';
import { enginePollRequest, goneNodes, goneNodesPollRequest, type StableMemberView } from '../../members/index.js';
import { Pod, type PollBuilder } from '../../runtime/index.js';
import type { owns, reads } from './declarations.js';
import { type EtcdQuestion, etcdCluster } from './ports/cluster.js';

/** The external sources that an EtcdCluster polls. */
export const polls = (ask: PollBuilder<EtcdClusterResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
  goneNodes: ask(goneNodes, goneNodesPollRequest),
  engine: ask(etcdCluster, (view) => enginePollRequest(view, accessTo(view))),
});

/** How the operator reaches the members. */
export function accessTo({ resource, owned }: StableMemberView<EtcdClusterResource>): EtcdQuestion {
  const { uid, name, namespace = '' } = resource.metadata;
  const urls = owned.of(Pod).map(({ metadata }) => etcdClientUrl(metadata.name, { name, namespace }));
  return { cluster: uid, namespace, secret: etcdObjectNames(name).operatorCertificate, endpoints: urls.toSorted() };
}
