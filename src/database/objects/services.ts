import type { k8s } from 'cdk8s-plus-27';
import type { Manifest, ManifestOf, Plain } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { type DatabaseIdentity, instanceSelector, podSelector, roleLabel } from '../naming/identity.js';
import { objectNames } from '../naming/object-names.js';
import { databasePorts } from '../naming/places.js';

type Service = ManifestOf<k8s.KubeServiceProps>;

const port = (name: keyof typeof databasePorts): Plain<k8s.ServicePort> => ({
  name,
  port: databasePorts[name],
  protocol: 'TCP',
  targetPort: databasePorts[name],
});

/** The Kubernetes name of the field. `cdk8s-plus-27` has another name for it. */
const headless = { clusterIP: 'None' };

/** The Services of a Database, by purpose. */
export function databaseServices(identity: DatabaseIdentity): Record<'rw' | 'ro' | 'r' | 'members', Manifest> {
  const { name } = identity;
  const names = objectNames(name);
  const service = (objectName: string, spec: Service['spec']): Service => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(identity, objectName),
    spec,
  });
  const answering = (selector: Readonly<Record<string, string>>) => ({
    selector: { ...instanceSelector(name), ...selector },
    ports: [port('postgresql')],
  });
  return {
    rw: service(names.rw, answering({ [roleLabel]: 'master' })),
    ro: service(names.ro, answering({ [roleLabel]: 'replica' })),
    r: service(names.r, answering({})),
    // Instances connect to each other before they are ready and before there is a primary.
    members: service(names.members, {
      ...headless,
      publishNotReadyAddresses: true,
      selector: podSelector(name),
      ports: [port('postgresql'), port('patroni'), port('pgbackrest')],
    }),
  };
}

/** The host names of the Pods of a Database, for their certificate. */
export function certificateHosts(name: string, namespace: string): readonly string[] {
  const { rw, ro, r, members } = objectNames(name);
  const domains = [`${namespace}.svc`, `${namespace}.svc.cluster.local`];
  const services = [rw, ro, r].flatMap((service) => [
    service,
    `${service}.${namespace}`,
    ...domains.map((domain) => `${service}.${domain}`),
  ]);
  return [...services, ...domains.map((domain) => `*.${members}.${domain}`), 'localhost'];
}
