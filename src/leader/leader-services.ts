import { Construct } from 'constructs';
import type { LeaderElectionSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { leaderLabels } from './leader-lease.js';

/** A Pod to which a Service leads. */
export interface Endpoint {
  readonly name: string;
  readonly uid: string;
  readonly address: string;
  readonly family: AddressFamily;
}

/** `addressType` of an EndpointSlice. */
export type AddressFamily = 'IPv4' | 'IPv6';

/** Props of {@link LeaderServices}. */
export interface LeaderServicesProps
  extends Pick<LeaderElectionSpec, 'service' | 'replicaService' | 'ports' | 'application'> {
  /** The name of the LeaderElection. */
  readonly name: string;
  readonly namespace: string;
  readonly endpoints: { readonly leader: readonly Endpoint[]; readonly replicas: readonly Endpoint[] };
  /**
   * Families whose EndpointSlices exist also without endpoints, so that an election does not delete and create them.
   * @default - none
   */
  readonly families?: readonly AddressFamily[];
}

/** The label of an EndpointSlice with the side that it has. */
const sideLabel = 'reconstruct.dev/leader-endpoints';

/** The side of an EndpointSlice. Undefined for those of others. */
export function leaderSliceRole({
  metadata,
}: Pick<Manifest, 'metadata'> & { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }):
  | 'leader'
  | 'replicas'
  | undefined {
  const side = metadata.labels?.[sideLabel];
  return side === 'leader' || side === 'replicas' ? side : undefined;
}

/**
 * The Service that leads to the leader alone, and the one that leads to all other candidates. Neither has a selector: their
 * EndpointSlices are written here, so that no Pod gets clients before it leads.
 */
export class LeaderServices extends Construct {
  constructor(scope: Construct, id: string, props: LeaderServicesProps) {
    super(scope, id);
    const { service, replicaService, endpoints } = props;
    this.add(props, { side: 'leader', service, endpoints: endpoints.leader });
    if (replicaService === undefined) return;
    this.add(props, { side: 'replicas', service: replicaService, endpoints: endpoints.replicas });
  }

  private add(props: LeaderServicesProps, { side, service, endpoints }: Side): void {
    const { name, namespace } = props;
    const labels = leaderLabels(name);
    const ports = portsOf(props);
    new KubeObject(this, side, {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: service, namespace, labels } },
      spec: {
        ports: ports.map(({ name: port, port: number, targetPort }) => ({
          name: port,
          port: number,
          protocol: 'TCP',
          targetPort,
        })),
      },
    } as Manifest);
    for (const family of ['IPv4', 'IPv6'] as const) {
      const own = endpoints.filter((one) => one.family === family);
      if (own.length === 0 && !props.families?.includes(family)) continue;
      new KubeObject(this, `${side}-${family}`, {
        ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: family },
        metadata: {
          ...{ name: `${service}-${family.toLowerCase()}`, namespace },
          labels: {
            ...labels,
            'kubernetes.io/service-name': service,
            'endpointslice.kubernetes.io/managed-by': 'reconstruct.dev',
            [sideLabel]: side,
          },
        },
        ports: ports.map(({ name: port, targetPort }) => ({ name: port, port: targetPort, protocol: 'TCP' })),
        // The API server stores an empty list as none.
        ...(own.length > 0 && { endpoints: own.map((one) => endpointOf(one, namespace)) }),
      } as Manifest);
    }
  }
}

interface Side {
  readonly side: 'leader' | 'replicas';
  readonly service: string;
  readonly endpoints: readonly Endpoint[];
}

function endpointOf({ name, uid, address }: Endpoint, namespace: string) {
  return {
    addresses: [address],
    conditions: { ready: true },
    targetRef: { kind: 'Pod', name, namespace, uid },
  };
}

interface NamedPort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: number;
}

/** The stated ports, or the one of Redis. */
function portsOf({ ports = [], application }: LeaderServicesProps): readonly NamedPort[] {
  if (ports.length > 0) return ports.map(({ name, port, targetPort = port }) => ({ name, port, targetPort }));
  const { redis } = application;
  return redis ? [{ name: 'redis', port: redis.port, targetPort: redis.port }] : [];
}
