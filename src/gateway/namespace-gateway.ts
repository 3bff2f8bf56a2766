import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { GatewaySpecInput } from '../../imports/index.js';
import { KubeObject } from '../kube-object.js';
import type { Manifest } from '../plain.js';
import { type Identity, metadataOf } from '../workload/identity.js';
import { gatewayClassName, gatewayName, gatewayPorts, proxiesOf } from './identity.js';

/** Where a Gateway is. */
export interface NamespaceGatewayProps {
  /** @default 'reconstruct-gateway' */
  readonly name?: string;
  /** @default - the chart's namespace */
  readonly namespace?: string;
}

/** The Gateway of a namespace, for the Algorithms in it. What serves it is a `GatewayProxies`. */
export class NamespaceGateway extends Construct {
  readonly gateway: ApiObject;

  constructor(scope: Construct, id: string, { name = gatewayName, namespace }: NamespaceGatewayProps = {}) {
    super(scope, id);
    const identity = proxiesOf(name, namespace ?? Chart.of(this).namespace);
    this.gateway = new KubeObject(this, 'gateway', gateway(identity));
  }
}

/** Takes the requests of a namespace, and routes of that namespace alone: the short names of two would collide. */
function gateway(identity: Identity): Manifest & { readonly spec: GatewaySpecInput } {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: metadataOf(identity),
    spec: {
      gatewayClassName,
      // A proxy looks for the entry point of this very port.
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
