import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../kube-object.js';
import { gateway } from './gateway.js';
import { gatewayName, proxiesOf } from './identity.js';

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
