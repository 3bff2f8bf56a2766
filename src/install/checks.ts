import { servedVersionProblems } from '../../crds/index.js';
import { imageRegistryRule, isImageRegistry, isSecretName } from '../workload/image.js';
import { definedBy } from './definitions.js';
import { outOfReach } from './namespace-scope.js';
import type { OperatorInstallProps } from './operator-install-props.js';
import { metricsTls } from './pods.js';

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const namespaceLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The problems of an installation, one sentence each, with what to do. */
export function problemsOf(props: OperatorInstallProps & { readonly name: string; readonly namespace: string }) {
  const { name, namespace, controllers, watchNamespaces, replicas = 1 } = props;
  const problems = [
    ...undefinedKinds(props),
    ...lossyVersions(props),
    ...imageProblems(props),
    ...metadataProblems(props),
    ...volumeProblems(props),
    ...monitoringProblems(props),
    ...(watchNamespaces ? controllers.flatMap((controller) => outOfReach(controller, watchNamespaces)) : []),
  ];
  if (!label.test(name) || name.length > 40) {
    problems.push(`name must be a lower-case label of at most 40 characters, got ${JSON.stringify(name)}`);
  }
  for (const wrong of [namespace, ...(watchNamespaces ?? [])].filter((value) => !namespaceLabel.test(value))) {
    problems.push(`a namespace must be a lower-case label of at most 63 characters, got ${JSON.stringify(wrong)}`);
  }
  if (controllers.length === 0)
    problems.push('controllers must not be empty; list the controllers that the image runs');
  if (watchNamespaces?.length === 0) {
    problems.push(
      'watchNamespaces must not be empty; list the namespaces, or remove watchNamespaces to watch all namespaces',
    );
  }
  if (watchNamespaces && props.gatewayProxies) {
    problems.push(
      'gatewayProxies must not be set with watchNamespaces, because the proxies need ClusterRoles; remove one of them',
    );
  }
  if (!Number.isInteger(replicas) || replicas < 0) {
    problems.push(`replicas must be a whole number of 0 or more, got ${replicas}`);
  }
  return problems;
}

/** The operator would refuse the options with these values, and its Pods would not start. */
function imageProblems({ imageRegistry, imagePullSecrets = [] }: OperatorInstallProps): readonly string[] {
  const isWrong = imageRegistry !== undefined && !isImageRegistry(imageRegistry);
  return [
    ...(isWrong ? [`imageRegistry must be ${imageRegistryRule}, got ${JSON.stringify(imageRegistry)}`] : []),
    ...imagePullSecrets
      .filter((name) => !isSecretName(name))
      .map((name) => `imagePullSecrets must be names of Secrets, such as registry, got ${JSON.stringify(name)}`),
  ];
}

const ownLabel = /^(app\.kubernetes\.io\/(name|instance|version|managed-by)|reconstruct\.dev\/.*)$/;

/** The selector of the Deployment never changes, so its labels are not the user's. */
function metadataProblems({ labels, podLabels }: OperatorInstallProps): readonly string[] {
  return Object.keys({ ...labels, ...podLabels })
    .filter((key) => ownLabel.test(key))
    .map((key) => `labels and podLabels must not have ${key}, which the installation sets; remove it`);
}

function volumeProblems({ volumes = [], volumeMounts = [] }: OperatorInstallProps): readonly string[] {
  const names = volumes.map(({ name }) => name);
  const repeated = names.filter((name, index) => name === metricsTls || names.indexOf(name) !== index);
  return [
    ...repeated.map((name) => `volumes must have unique names other than ${metricsTls}, got ${name}`),
    ...volumes
      .filter((volume) => 'hostPath' in volume)
      .map(
        ({ name }) => `volumes must not have a hostPath, which the Pod Security level restricted forbids, got ${name}`,
      ),
    ...volumeMounts
      .filter(({ name }) => !names.includes(name))
      .map(({ name }) => `volumeMounts must name one of volumes, got ${name}`),
  ];
}

/** Prometheus would collect nothing, or would not load the alerts. */
function monitoringProblems({ metricsTlsSecret, monitoring }: OperatorInstallProps): readonly string[] {
  const { monitor, runbookBaseUrl } = monitoring ?? {};
  return [
    ...(monitor === 'PodMonitor' && metricsTlsSecret !== undefined
      ? ['monitoring.monitor must be ServiceMonitor with metricsTlsSecret, because a PodMonitor sends no token']
      : []),
    ...(runbookBaseUrl === undefined || URL.canParse(runbookBaseUrl)
      ? []
      : [`monitoring.runbookBaseUrl must be a URL, got ${JSON.stringify(runbookBaseUrl)}`]),
  ];
}

/** A CRD that converts by a webhook of its own may serve versions with different schemas. */
function lossyVersions(props: OperatorInstallProps): readonly string[] {
  return (props.crds ?? []).flatMap(({ metadata, spec }) => {
    const { conversion } = spec as { readonly conversion?: { readonly strategy?: string } };
    if (conversion?.strategy === 'Webhook') return [];
    const versions = spec.versions.map((version) => ({ ...version, schema: version.schema.openAPIV3Schema }));
    return servedVersionProblems(versions).map((problem) => `CRD ${metadata.name}: ${problem}`);
  });
}

/** Without its CRD, the operator would wait forever for a kind. */
function undefinedKinds(props: OperatorInstallProps): readonly string[] {
  if (props.installApi === false) return [];
  const defined = new Set(definedBy(props).map(({ metadata }) => metadata.name));
  return props.controllers
    .filter(({ kind, reportsTo = 'status' }) => !kind.optional && reportsTo === 'status')
    .map(({ name, kind }) => ({ name, definition: `${kind.plural}.${kind.group}` }))
    .filter(({ definition }) => !defined.has(definition))
    .map(
      ({ name, definition }) =>
        `controller ${name} needs the CRD ${definition}, which this installation does not have; add it to crds, or set ` +
        'installApi to false if another installation provides the CRDs',
    );
}
