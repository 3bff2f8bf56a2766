import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { proxyClusterBinding, proxyClusterRoles } from '../gateway/access.js';
import { gatewayClass } from '../gateway/gateway-class.js';
import { type AddedMetadata, withMetadata } from '../manifest/added-metadata.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { objectLabels } from '../workload/identity.js';
import { bindGrant } from './access.js';
import { installationOf } from './installation.js';

/** Props of a {@link GatewayInstall}. */
export interface GatewayInstallProps extends AddedMetadata {
  /** The name of the operator. @default 'reconstruct' */
  readonly name?: string;
  /** The namespace of the operator. @default - the namespace of the chart, or `reconstruct-system` */
  readonly namespace?: string;
  /**
   * The namespaces that can have proxies. The ServiceAccounts of their proxies can list and watch GatewayClasses and
   * Namespaces, which Traefik needs to start.
   * @default - all namespaces, so that every ServiceAccount of the cluster can list and watch these two kinds
   */
  readonly proxyNamespaces?: readonly string[];
}

/**
 * Objects for a cluster without a Gateway controller, so that the operator can run proxies in the namespaces that need
 * them: the GatewayClass, the roles of the proxies, and the permission of the operator to bind the role for a
 * namespace. The CRDs of the Gateway API must exist before.
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
    const installation = installationOf(name, namespace);
    const labels = objectLabels(installation);
    const { role, binding } = bindGrant(installation);
    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, withMetadata(manifest, props));
    this.gatewayClass = add('gateway-class', gatewayClass(labels));
    this.proxyRoles = proxyClusterRoles(labels).map((one) => add(one.metadata.name, one));
    this.proxyRoleBinding = add('proxy-binding', proxyClusterBinding(labels, props.proxyNamespaces));
    this.role = add('role', role);
    this.roleBinding = add('role-binding', binding);
  }
}
