import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { proxyClusterBinding, proxyClusterRoles } from '../gateway/access.js';
import { gatewayClass } from '../gateway/gateway-class.js';
import { KubeObject } from '../kube-object.js';
import { bindGrant } from './access.js';
import { operatorLabels } from './installation.js';

/** Whose proxies they are to be. */
export interface GatewayInstallProps {
  /** The name of the operator. @default 'reconstruct' */
  readonly name?: string;
  /** The operator's namespace. @default - the chart's, or `reconstruct-system` */
  readonly namespace?: string;
  /**
   * The namespaces that may have proxies, whose ServiceAccounts may then look at GatewayClasses and Namespaces, as Traefik
   * must to start.
   * @default - all, so that every ServiceAccount of the cluster may look at these two kinds
   */
  readonly proxyNamespaces?: readonly string[];
}

/**
 * What a cluster without a controller of Gateways needs, so that the operator may run proxies in the namespaces that need
 * some: their GatewayClass, the roles that they are bound to, and the operator's right to bind the one that is
 * bound in each namespace. The definitions
 * of the Gateway API must be there before.
 */
export class GatewayInstall extends Construct {
  readonly gatewayClass: ApiObject;
  readonly proxyRoles: readonly ApiObject[];
  readonly proxyRoleBinding: ApiObject;
  readonly role: ApiObject;
  readonly roleBinding: ApiObject;

  constructor(scope: Construct, id: string, props: GatewayInstallProps = {}) {
    super(scope, id);
    const { name = 'reconstruct', namespace = Chart.of(this).namespace ?? 'reconstruct-system' } = props;
    const labels = operatorLabels(name);
    const { role, binding } = bindGrant({ name, namespace, labels });
    this.gatewayClass = new KubeObject(this, 'gateway-class', gatewayClass(labels));
    this.proxyRoles = proxyClusterRoles(labels).map((one) => new KubeObject(this, one.metadata.name, one));
    this.proxyRoleBinding = new KubeObject(this, 'proxy-binding', proxyClusterBinding(labels, props.proxyNamespaces));
    this.role = new KubeObject(this, 'role', role);
    this.roleBinding = new KubeObject(this, 'role-binding', binding);
  }
}
