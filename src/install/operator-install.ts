import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { gatewayApiCrds } from '../gateway/definitions.js';
import { withMetadata } from '../manifest/added-metadata.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { monitoringOf } from '../monitoring/monitoring.js';
import { mergedRules } from '../rbac/rules.js';
import { disruptionBudget } from '../workload/disruption-budget.js';
import { metadataOf } from '../workload/identity.js';
import {
  clusterGrant,
  type Grant,
  leaseGrant,
  metricsAuthGrant,
  metricsReader,
  namespaceGrant,
  serviceAccount,
} from './access.js';
import { ApiInstall } from './api-install.js';
import { problemsOf } from './checks.js';
import { definedBy } from './definitions.js';
import { operatorDeployment } from './deployment.js';
import { GatewayInstall } from './gateway-install.js';
import { type Installation, installationOf } from './installation.js';
import { metricsService } from './metrics-service.js';
import { namespace } from './namespace.js';
import { rightsWithin } from './namespace-scope.js';
import { networkPolicy } from './network-policy.js';
import type { OperatorInstallProps } from './operator-install-props.js';
import { installedImage, podsOf, watchedNamespaces } from './pods.js';

/**
 * The installation of an operator in a cluster, with only the permissions that its controllers declare. It works for
 * every operator built on this package. You can apply it in one step, because each object follows the objects that it
 * needs.
 *
 * @example new OperatorInstall(chart, 'operator', { controllers, watchNamespaces: ['team-a', 'team-b'] });
 */
export class OperatorInstall extends Construct {
  /** Undefined with `createNamespace: false`. */
  readonly namespace: ApiObject | undefined;
  /** Undefined with `installApi: false`. */
  readonly api: ApiInstall | undefined;
  /** The CRDs of the Gateway API. Empty without `installGatewayApi`. */
  readonly gatewayApi: readonly ApiObject[];
  /** Undefined without `gatewayProxies`. */
  readonly gateway: GatewayInstall | undefined;
  readonly serviceAccount: ApiObject;
  /** Roles or ClusterRoles with the permissions of the operator. */
  readonly roles: readonly ApiObject[];
  readonly roleBindings: readonly ApiObject[];
  readonly deployment: ApiObject;
  readonly metricsService: ApiObject;
  /** The ClusterRole for clients that read protected metrics. Undefined without `metricsTlsSecret`. */
  readonly metricsReader: ApiObject | undefined;
  readonly disruptionBudget: ApiObject;
  readonly networkPolicy: ApiObject;
  /** The PodMonitor or ServiceMonitor, and the PrometheusRule. Empty without `monitoring`. */
  readonly monitoring: readonly ApiObject[];

  constructor(scope: Construct, id: string, props: OperatorInstallProps) {
    super(scope, id);
    const { name = 'reconstruct', namespace: place = Chart.of(this).namespace ?? 'reconstruct-system' } = props;
    const installation = installationOf(name, place, installedImage(props));
    this.node.addValidation({ validate: () => problemsOf({ ...props, name, namespace: place }) });

    const pods = podsOf(installation, props);
    const added = { labels: props.labels, annotations: props.annotations };
    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, withMetadata(manifest, added));
    this.namespace = props.createNamespace === false ? undefined : add('namespace', namespace(installation));
    this.api =
      props.installApi === false
        ? undefined
        : new ApiInstall(this, 'api', { crds: definedBy(props), operator: name, ...added });
    this.gatewayApi = (props.installGatewayApi ? gatewayApiCrds() : []).map((crd) => add(crd.metadata.name, crd));
    this.serviceAccount = add(
      'service-account',
      withMetadata(serviceAccount(installation), { annotations: props.serviceAccountAnnotations }),
    );
    const grants = grantsOf(installation, props);
    this.roles = grants.map(({ role }, index) => add(`role-${index}`, role));
    this.roleBindings = grants.map(({ binding }, index) => add(`role-binding-${index}`, binding));
    this.gateway = props.gatewayProxies
      ? new GatewayInstall(this, 'gateway', { name, namespace: place, ...added })
      : undefined;
    this.metricsReader =
      props.metricsTlsSecret === undefined ? undefined : add('metrics-reader', metricsReader(installation));
    this.networkPolicy = add('network-policy', networkPolicy(installation, pods));
    this.metricsService = add('metrics-service', metricsService(installation));
    this.deployment = add('deployment', operatorDeployment(installation, pods));
    this.disruptionBudget = add('disruption-budget', disruptionBudget(installation));
    const { metricsTlsSecret: secret, controllers } = props;
    const monitored = {
      metadata: metadataOf(installation),
      matchLabels: installation.labels,
      tls: secret === undefined ? undefined : { secret, serverName: `${name}-metrics.${place}.svc` },
      controllers: controllers.map((controller) => controller.name),
    };
    this.monitoring = monitoringOf(monitored, props.monitoring).map((manifest) => add(manifest.kind, manifest));
  }
}

function grantsOf(installation: Installation, props: OperatorInstallProps): Grant[] {
  const watched = watchedNamespaces(props);
  const rules = mergedRules(props.controllers.flatMap(watched ? rightsWithin : ({ rbacRules }) => rbacRules));
  const rights = watched
    ? watched.map((namespace) => namespaceGrant(installation, namespace, rules))
    : [clusterGrant(installation, rules)];
  const protection = props.metricsTlsSecret === undefined ? [] : [metricsAuthGrant(installation)];
  return [...rights, leaseGrant(installation), ...protection];
}
