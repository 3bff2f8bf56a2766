import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { GatewaySpecInput } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';
import { gatewayClassName, gatewayName, gatewayPorts, proxiesOf } from './identity.js';

/** Props of a {@link NamespaceGateway}. */
export interface NamespaceGatewayProps {
  /** The name of the Gateway. @default 'reconstruct-gateway' */
  readonly name?: string;
  /** The namespace of the Gateway. @default - the namespace of the chart */
  readonly namespace?: string;
}

/** The Gateway of a namespace, for the Algorithms in it. `GatewayProxies` serve it. */
export class NamespaceGateway extends Construct {
  readonly gateway: ApiObject;

  constructor(scope: Construct, id: string, { name = gatewayName, namespace }: NamespaceGatewayProps = {}) {
    super(scope, id);
    const identity = proxiesOf(name, namespace ?? Chart.of(this).namespace);
    this.gateway = new KubeObject(this, 'gateway', gateway(identity));
  }
}

/** Accepts only routes of its own namespace, because the short names of two namespaces would collide. */
function gateway(identity: Identity): Manifest & { readonly spec: GatewaySpecInput } {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: metadataOf(identity),
    spec: {
      gatewayClassName,
      // A proxy needs an entry point with exactly this port.
      listeners: [
        {
          name: 'http',
          port: gatewayPorts.http,
          protocol: 'HTTP',
          allowedRoutes: { namespaces: { from: 'Same' } },
        },
      ],
    },
  };
}
