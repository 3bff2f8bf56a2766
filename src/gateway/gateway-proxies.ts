import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../kube-object.js';
import type { Manifest } from '../plain.js';
import { disruptionBudget } from '../workload/disruption-budget.js';
import { proxyAccount, proxyBinding } from './access.js';
import { proxyConfigMap } from './config-map.js';
import { proxyDaemonSet } from './daemon-set.js';
import { proxyDeployment } from './deployment.js';
import { gatewayName, proxiesOf } from './identity.js';
import { readyRoute } from './ready-route.js';
import { proxyService } from './service.js';

/** The image of the proxies. */
export const proxyImage = 'traefik:v3.6.7';

/** What decides where proxies run: a `Deployment` of two, or a `DaemonSet`, one on each node. */
export type ProxyWorkload = 'Deployment' | 'DaemonSet';

/** How a Gateway is served. */
export interface GatewayProxiesProps {
  /** The Gateway's name. @default 'reconstruct-gateway' */
  readonly gateway?: string;
  /** @default - the chart's namespace */
  readonly namespace?: string;
  /** An image of Traefik 3.6, or of what takes the same arguments. @default 'traefik:v3.6.7' */
  readonly image?: string;
  /** Of the Deployment. @default 2 */
  readonly replicas?: number;
  /** What the proxies are run by; both, while one takes over from the other. @default ['Deployment'] */
  readonly workloads?: readonly ProxyWorkload[];
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
  /** Only among `workloads`. */
  readonly deployment: ApiObject | undefined;
  /** Only with a Deployment: who empties a node leaves a DaemonSet's pods there. */
  readonly disruptionBudget: ApiObject | undefined;
  /** Only among `workloads`. */
  readonly daemonSet: ApiObject | undefined;
  /** Tells whether a proxy knows its routes. */
  readonly readyRoute: ApiObject;

  constructor(scope: Construct, id: string, props: GatewayProxiesProps = {}) {
    super(scope, id);
    const { gateway = gatewayName, image = proxyImage, replicas = 2, workloads = ['Deployment'] } = props;
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
    const [deployed, everywhere] = [workloads.includes('Deployment'), workloads.includes('DaemonSet')];
    this.deployment = deployed ? add('deployment', proxyDeployment(identity, { image, replicas })) : undefined;
    this.disruptionBudget = deployed ? add('disruption-budget', disruptionBudget(identity)) : undefined;
    this.daemonSet = everywhere ? add('daemon-set', proxyDaemonSet(identity, image)) : undefined;
  }
}
