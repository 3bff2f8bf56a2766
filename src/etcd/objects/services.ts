import type { Manifest } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { type EtcdIdentity, etcdSelector } from '../naming/identity.js';
import { etcdObjectNames, etcdPorts } from '../naming/object-names.js';

/** The Service of all Pods by name. Members connect to each other before they are ready. */
export function etcdPeerService(identity: EtcdIdentity): Manifest {
  return service(identity, etcdObjectNames(identity.name).peers, {
    clusterIP: 'None',
    publishNotReadyAddresses: true,
    ports: [port('client'), port('peer'), port('metrics')],
  });
}

/** The Service of the ready members, for clients. */
export function etcdClientService(identity: EtcdIdentity): Manifest {
  return service(identity, etcdObjectNames(identity.name).client, { ports: [port('client')] });
}

function service(identity: EtcdIdentity, objectName: string, spec: object): Manifest & { readonly spec: object } {
  const selector = etcdSelector(identity.name);
  return { apiVersion: 'v1', kind: 'Service', metadata: metadataOf(identity, objectName), spec: { ...spec, selector } };
}

function port(name: keyof typeof etcdPorts) {
  return { name, port: etcdPorts[name], protocol: 'TCP', targetPort: etcdPorts[name] };
}
