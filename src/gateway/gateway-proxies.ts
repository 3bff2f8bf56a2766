import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../kube-object.js';
import type { Manifest } from '../plain.js';
import { disruptionBudget } from '../workload/disruption-budget.js';
import { proxyAccount, proxyBinding } from './access.js';
import { proxyConfigMap } from './config-map.js';
import { proxyDeployment } from './deployment.js';
import { gatewayName, proxiesOf } from './identity.js';
import { readyRoute } from './ready-route.js';
import { proxyService } from './service.js';

/** The image of the proxies. */
export const proxyImage = 'traefik:v3.6.7';

/** How a Gateway is served. */
export interface GatewayProxiesProps {
  /** The Gateway's name. @default 'reconstruct-gateway' */
  readonly gateway?: string;
  /** @default - the chart's namespace */
  readonly namespace?: string;
  /** An image of Traefik 3.6, or of what takes the same arguments. @default 'traefik:v3.6.7' */
  readonly image?: string;
  /** @default 2 */
  readonly replicas?: number;
}

/**
 * Traefik before one namespace: it serves the Gateways there, and sees nothing of any other namespace. What it is bound
 * to, and the GatewayClass, come with the operator's installation.
 */
export class GatewayProxies extends Construct {
  readonly serviceAccount: ApiObject;
  readonly roleBinding: ApiObject;
  readonly service: ApiObject;
  readonly configMap: ApiObject;
  readonly deployment: ApiObject;
  readonly disruptionBudget: ApiObject;
  /** Tells whether a proxy knows its routes. */
  readonly readyRoute: ApiObject;

  constructor(scope: Construct, id: string, props: GatewayProxiesProps = {}) {
    super(scope, id);
    const { gateway = gatewayName, image = proxyImage, replicas = 2 } = props;
    const namespace = props.namespace ?? Chart.of(this).namespace;
    if (namespace === undefined) {
      throw new Error('proxies see one namespace alone, but none is stated: set namespace, or that of the chart');
    }
    const identity = { ...proxiesOf(gateway, namespace), namespace };

    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, manifest);
    this.serviceAccount = add('service-account', proxyAccount(identity));
    this.roleBinding = add('role-binding', proxyBinding(identity));
    this.readyRoute = add('ready-route', readyRoute(identity));
    this.service = add('service', proxyService(identity));
    this.configMap = add('config-map', proxyConfigMap(identity));
    this.deployment = add('deployment', proxyDeployment(identity, { image, replicas }));
    this.disruptionBudget = add('disruption-budget', disruptionBudget(identity));
  }
}
