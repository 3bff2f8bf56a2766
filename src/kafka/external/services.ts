import type { Manifest } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { type KafkaIdentity, kafkaNodeLabel, kafkaSelector } from '../naming/identity.js';
import { type ExternalListener, externalHost, externalNames } from './addresses.js';

/** Annotation with which external-dns makes the name of a load balancer known. @see https://kubernetes-sigs.github.io/external-dns */
const dnsAnnotation = 'external-dns.alpha.kubernetes.io/hostname';

const serviceTypes = { LoadBalancer: 'LoadBalancer', NodePort: 'NodePort', TlsRoute: 'ClusterIP' } as const;

type WithSpec = Manifest & { readonly spec: object };

/** The Services of a listener: one for each broker, and one for all of them, with which clients begin. */
export function externalServices(
  identity: KafkaIdentity,
  listener: ExternalListener,
  brokers: readonly number[],
): readonly WithSpec[] {
  return [undefined, ...brokers].map((id) => externalService(identity, listener, id));
}

function externalService(identity: KafkaIdentity, { name, port, external }: ExternalListener, id?: number): WithSpec {
  const names = externalNames(identity.name, name);
  const metadata = metadataOf(identity, id === undefined ? names.bootstrap : names.broker(id));
  const host = external.type === 'LoadBalancer' ? externalHost(external, id) : undefined;
  return {
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { ...metadata, ...(host !== undefined && { annotations: { [dnsAnnotation]: host } }) },
    spec: {
      type: serviceTypes[external.type],
      selector: {
        ...kafkaSelector(identity.name, { role: 'broker' }),
        ...(id !== undefined && { [kafkaNodeLabel]: String(id) }),
      },
      ports: [{ name, port, protocol: 'TCP', targetPort: port }],
    },
  };
}

/** The TLSRoutes of a listener: the Gateway finds the broker by the name in the TLS handshake, which it does not end. */
export function externalRoutes(
  identity: KafkaIdentity,
  listener: ExternalListener,
  brokers: readonly number[],
): readonly WithSpec[] {
  const { name, port, external } = listener;
  const { gateway, type } = external;
  if (type !== 'TlsRoute' || !gateway) return [];
  const names = externalNames(identity.name, name);
  const { name: of, namespace, sectionName } = gateway;
  const parent = { name: of, ...(namespace && { namespace }), ...(sectionName && { sectionName }) };
  return [undefined, ...brokers].map((id) => {
    const service = id === undefined ? names.bootstrap : names.broker(id);
    return {
      ...{
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'TLSRoute',
        metadata: metadataOf(identity, service),
      },
      spec: {
        parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', ...parent }],
        hostnames: [externalHost(external, id)],
        rules: [{ backendRefs: [{ group: '', kind: 'Service', name: service, port, weight: 1 }] }],
      },
    };
  });
}
