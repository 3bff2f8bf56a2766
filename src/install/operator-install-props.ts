import type { k8s } from 'cdk8s-plus-27';
import type { CustomResourceDefinition } from '../../crds/index.js';
import type { Plain } from '../plain.js';
import type { InstalledController } from './installation.js';

/** How an operator is installed. */
export interface OperatorInstallProps {
  /** The controllers that are run, of those in the image. Their rights, and nothing more, are the operator's. */
  readonly controllers: readonly InstalledController[];
  /**
   * The name of the operator, of its objects and of its Lease: a lower-case label of at most 40 characters, its own in
   * the cluster.
   * @default 'reconstruct'
   */
  readonly name?: string;
  /** Where the operator runs. @default - the chart's namespace, or `reconstruct-system` */
  readonly namespace?: string;
  /** Whether the installation makes that namespace; false where it exists and others look after it. @default true */
  readonly createNamespace?: boolean;
  /**
   * Whether the installation brings the definitions of the controllers' kinds, and the roles for their users; false
   * where they come from elsewhere, as from an `ApiInstall` of some of them.
   * @default true
   */
  readonly installApi?: boolean;
  /**
   * The definitions of the controllers' kinds that are not of this package, which it cannot know;
   * `toCustomResourceDefinition` makes them.
   * @default []
   */
  readonly crds?: readonly CustomResourceDefinition[];
  /**
   * Whether proxies of this package may serve the Gateways of class `reconstruct`, in each namespace that has one: the
   * installation then brings that class and the proxies' roles, and the operator may bind them. For clusters without
   * a controller of Gateways.
   * @default false
   */
  readonly gatewayProxies?: boolean;
  /**
   * Whether the installation brings the definitions of the Gateway API, standard channel; false where the cluster has
   * them, in whatever release, or where nobody needs them.
   * @default false
   */
  readonly installGatewayApi?: boolean;
  /**
   * The namespaces whose resources the operator runs. It has rights in these alone then, by a Role in each; they must
   * exist when the installation is applied.
   * @default - all, by a ClusterRole
   */
  readonly watchNamespaces?: readonly string[];
  /** An image whose entry point runs the controllers. @default - this package's own, in its version */
  readonly image?: string;
  /** @default - the cluster's: IfNotPresent, unless the tag is latest */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /** Names of Secrets in the operator's namespace with credentials for the registry. @default [] */
  readonly imagePullSecrets?: readonly string[];
  /** Pods; one works, the others take over within seconds. @default 2 */
  readonly replicas?: number;
  /** @default - requests of 100m CPU and 128Mi memory, a limit of 512Mi memory and none of CPU */
  readonly resources?: Plain<k8s.ResourceRequirements>;
  /**
   * Name of a Secret of type `kubernetes.io/tls` in the operator's namespace. The metrics are served with it, and only to
   * who may `get` the path `/metrics`: bind the ClusterRole `<name>-metrics-reader` to who collects them.
   * @default - served to whoever reaches the port, without TLS
   */
  readonly metricsTlsSecret?: string;
  /** The least important messages that are logged. @default 'info' */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Further arguments, after the installation's own. @default [] */
  readonly args?: readonly string[];
  /** Environment variables. @default {} */
  readonly env?: Readonly<Record<string, string>>;
  /** Labels that the pods' nodes must have. @default - any node */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Taints that the pods bear. @default - none */
  readonly tolerations?: readonly Plain<k8s.Toleration>[];
  /** @default - none */
  readonly priorityClassName?: string;
}
