import type { CustomResourceDefinition } from '../../crds/index.js';
import type { MonitoringProps } from '../monitoring/monitoring-props.js';
import type { PodTemplate } from '../workload/pod-template.js';
import type { InstalledController } from './installation.js';

/** Requests and limits of a container: amounts by the name of the resource, such as `cpu` and `memory`. */
export interface ResourceRequirements {
  readonly requests?: Readonly<Record<string, string | number>>;
  readonly limits?: Readonly<Record<string, string | number>>;
}

/** A toleration of node taints, as in a Pod. */
export interface Toleration {
  /** The key of the taint. @default - all keys, with the operator `Exists` */
  readonly key?: string;
  /** `Equal` or `Exists`. @default 'Equal' */
  readonly operator?: string;
  /** The value of the taint, for the operator `Equal`. */
  readonly value?: string;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`. @default - all effects */
  readonly effect?: string;
  /** Seconds that a Pod stays on a node with a taint `NoExecute`. @default - forever */
  readonly tolerationSeconds?: number;
}

/** Props of an `OperatorInstall`. */
export interface OperatorInstallProps {
  /** The controllers to run, out of those in the image. The operator gets exactly their permissions. */
  readonly controllers: readonly InstalledController[];
  /**
   * The name of the operator, of its objects and of its Lease: a lower-case label of at most 40 characters, unique in
   * the cluster.
   * @default 'reconstruct'
   */
  readonly name?: string;
  /** The namespace of the operator. @default - the namespace of the chart, or `reconstruct-system` */
  readonly namespace?: string;
  /** Whether the installation creates that namespace. Set it to false if the namespace already exists. @default true */
  readonly createNamespace?: boolean;
  /**
   * Whether the installation includes the CRDs of the controllers and the roles for their users. Set it to false if
   * another installation provides them, such as an `ApiInstall`.
   * @default true
   */
  readonly installApi?: boolean;
  /**
   * The CRDs for kinds of the controllers that are not part of this package. `toCustomResourceDefinition` creates them.
   * @default []
   */
  readonly crds?: readonly CustomResourceDefinition[];
  /**
   * Whether proxies of this package can serve the Gateways of the class `reconstruct`, in each namespace that has one.
   * The installation then includes that class and the roles of the proxies, and the operator can bind the roles. Use it
   * in clusters without a Gateway controller.
   * @default false
   */
  readonly gatewayProxies?: boolean;
  /**
   * Whether the installation includes the CRDs of the Gateway API, standard channel. Leave it false if the cluster
   * already has them, in any release, or does not need them.
   * @default false
   */
  readonly installGatewayApi?: boolean;
  /**
   * The namespaces whose resources the operator reconciles. The operator then has permissions only there, with a Role
   * in each namespace. The namespaces must exist when you apply the installation.
   * @default - all namespaces, with a ClusterRole
   */
  readonly watchNamespaces?: readonly string[];
  /**
   * An image whose entry point runs the controllers. It takes precedence over `imageRegistry` for the operator itself.
   * @default - the image of this package in its version
   */
  readonly image?: string;
  /**
   * The registry of all images of this package, with an optional path, such as `registry.example.com/mirror`: of the
   * operator, and by its option `--image-registry` of Databases, KafkaClusters, EtcdClusters and the proxies of Gateways.
   * `npm run images` lists the images.
   * @default - the registry of this release
   */
  readonly imageRegistry?: string;
  /** The pull policy of the image. @default - the default of the cluster: IfNotPresent, unless the tag is latest */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /**
   * Names of Secrets in the namespace of the operator with credentials for the registry. With `imageRegistry`, the Pods of
   * all resources get them too, by the option `--image-pull-secrets`: the Secrets must then exist in each namespace with
   * such Pods.
   * @default []
   */
  readonly imagePullSecrets?: readonly string[];
  /** The number of Pods. One leads, and another takes over within seconds. @default 2 */
  readonly replicas?: number;
  /** Requests and limits. @default - requests of 100m CPU and 128Mi memory, a limit of 512Mi memory, no CPU limit */
  readonly resources?: ResourceRequirements;
  /**
   * The name of a Secret of type `kubernetes.io/tls` in the namespace of the operator. The operator serves the metrics
   * with this certificate, and only to clients that can `get` the path `/metrics`. Bind the ClusterRole
   * `<name>-metrics-reader` to the ServiceAccount that collects them.
   * @default - the metrics are served without TLS to every client that reaches the port
   */
  readonly metricsTlsSecret?: string;
  /** The minimum level of logged messages. @default 'info' */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Additional arguments, after those of the installation. @default [] */
  readonly args?: readonly string[];
  /** Environment variables of the operator. @default {} */
  readonly env?: Readonly<Record<string, string>>;
  /** Labels that a node must have to run the Pods. @default - any node */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Node taints that the Pods tolerate. @default - none */
  readonly tolerations?: readonly Toleration[];
  /** The PriorityClass of the Pods. @default - none */
  readonly priorityClassName?: string;
  /** Rules on the nodes of the Pods, in addition to the spread over zones and nodes. @default - none */
  readonly affinity?: PodTemplate['affinity'];
  /** Labels of all objects and of the Pods. The labels of the installation cannot be replaced. @default {} */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations of all objects and of the Pods. @default {} */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Labels of the Pods, in addition to `labels`. @default {} */
  readonly podLabels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the Pods, in addition to `annotations`. They can replace those for Prometheus, such as
   * `prometheus.io/scrape`.
   * @default {}
   */
  readonly podAnnotations?: Readonly<Record<string, string>>;
  /**
   * Annotations of the ServiceAccount, such as `eks.amazonaws.com/role-arn` for an identity at a cloud.
   * @default {}
   */
  readonly serviceAccountAnnotations?: Readonly<Record<string, string>>;
  /**
   * Volumes of the Pods, such as a ConfigMap with a CA of your own, which `NODE_EXTRA_CA_CERTS` in `env` makes known.
   * @default []
   */
  readonly volumes?: PodTemplate['volumes'];
  /** Mounts of these volumes. @default [] */
  readonly volumeMounts?: PodTemplate['volumeMounts'];
  /** Objects with which Prometheus finds the metrics, and rules for alerts. @default - none */
  readonly monitoring?: MonitoringProps;
}
