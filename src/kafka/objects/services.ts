import type { KafkaClusterSpec } from '../../../imports/index.js';
import type { Manifest } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { type KafkaIdentity, kafkaSelector } from '../naming/identity.js';
import { kafkaObjectNames, kafkaPorts } from '../naming/object-names.js';

/** The Services of a KafkaCluster: all Pods by name, and the ready brokers for clients. */
export function kafkaServices(
  identity: KafkaIdentity,
  { listeners }: Pick<KafkaClusterSpec, 'listeners'>,
): Record<'nodes' | 'bootstrap', Manifest> {
  const names = kafkaObjectNames(identity.name);
  const port = (name: string, number: number) => ({ name, port: number, protocol: 'TCP', targetPort: number });
  const ofClients = listeners.map((listener) => port(listener.name, listener.port));
  const own = [port('controller', kafkaPorts.controller), port('replication', kafkaPorts.replication)];
  const service = (objectName: string, spec: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(identity, objectName),
    spec,
  });
  return {
    // Nodes connect to each other before they are ready.
    nodes: service(names.nodes, {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: kafkaSelector(identity.name),
      ports: [...own, ...ofClients],
    }),
    bootstrap: service(names.bootstrap, {
      selector: kafkaSelector(identity.name, { role: 'broker' }),
      ports: ofClients,
    }),
  };
}
