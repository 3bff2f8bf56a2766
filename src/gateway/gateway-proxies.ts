import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { disruptionBudget } from '../workload/disruption-budget.js';
import { imageVersion } from '../workload/identity.js';
import { requestProblems, type StatedResources } from '../workload/resources.js';
import { proxyAccount, proxyBinding } from './access.js';
import { proxyConfigMap } from './config-map.js';
import { proxyDaemonSet } from './daemon-set.js';
import { proxyDeployment } from './deployment.js';
import { gatewayName, proxiesOf } from './identity.js';
import { readyRoute } from './ready-route.js';
import { proxyService } from './service.js';

/** The image of the proxies. */
export const proxyImage = 'traefik:v3.6.7';

/**
 * The workload of the proxies: a `Deployment`, by default with two replicas, or a `DaemonSet` with one Pod on each
 * node.
 */
export type ProxyWorkload = 'Deployment' | 'DaemonSet';

/** Props of {@link GatewayProxies}. */
export interface GatewayProxiesProps {
  /** The name of the Gateway. @default 'reconstruct-gateway' */
  readonly gateway?: string;
  /** The namespace of the Gateway. @default - the namespace of the chart */
  readonly namespace?: string;
  /** An image of Traefik 3.6, or of a proxy with the same arguments. @default 'traefik:v3.6.7' */
  readonly image?: string;
  /**
   * Requests and limits of a proxy.
   * @default - requests of 100m CPU and 128Mi memory, limits of 2 CPU and 512Mi memory
   */
  readonly resources?: StatedResources | undefined;
  /** The number of replicas of the Deployment. @default 2 */
  readonly replicas?: number;
  /** The workloads of the proxies. Use both while one replaces the other. @default ['Deployment'] */
  readonly workloads?: readonly ProxyWorkload[];
}

/**
 * Traefik proxies for one namespace. They serve the Gateways of that namespace and cannot read any other namespace. The
 * installation of the operator provides their roles and the GatewayClass.
 */
export class GatewayProxies extends Construct {
  readonly serviceAccount: ApiObject;
  readonly roleBinding: ApiObject;
  readonly service: ApiObject;
  readonly configMap: ApiObject;
  /** Undefined unless it is in `workloads`. */
  readonly deployment: ApiObject | undefined;
  /** Undefined without a Deployment. A DaemonSet needs none, because a drain skips its Pods. */
  readonly disruptionBudget: ApiObject | undefined;
  /** Undefined unless it is in `workloads`. */
  readonly daemonSet: ApiObject | undefined;
  /** The route that shows whether a proxy has read its routes. */
  readonly readyRoute: ApiObject;

  constructor(scope: Construct, id: string, props: GatewayProxiesProps = {}) {
    super(scope, id);
    const { gateway = gatewayName, image = proxyImage, resources, replicas = 2, workloads = ['Deployment'] } = props;
    this.node.addValidation({ validate: () => [...requestProblems('resources', resources)] });
    const namespace = props.namespace ?? Chart.of(this).namespace;
    if (namespace === undefined) {
      throw new Error(
        'namespace must be set, because proxies serve one namespace; set namespace, or the namespace of the chart',
      );
    }
    const identity = { ...proxiesOf(gateway, namespace), namespace, version: imageVersion(image) };

    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, manifest);
    this.serviceAccount = add('service-account', proxyAccount(identity));
    this.roleBinding = add('role-binding', proxyBinding(identity));
    this.readyRoute = add('ready-route', readyRoute(identity));
    this.service = add('service', proxyService(identity));
    this.configMap = add('config-map', proxyConfigMap(identity));
    const [deployed, everywhere] = [workloads.includes('Deployment'), workloads.includes('DaemonSet')];
    this.deployment = deployed
      ? add('deployment', proxyDeployment(identity, { image, resources, replicas }))
      : undefined;
    this.disruptionBudget = deployed ? add('disruption-budget', disruptionBudget(identity)) : undefined;
    this.daemonSet = everywhere ? add('daemon-set', proxyDaemonSet(identity, { image, resources })) : undefined;
  }
}
