import type { k8s } from 'cdk8s-plus-27';
import type { DefaultResources } from '../../../crds/index.js';
import { fingerprint } from '../../manifest/fingerprint.js';
import type { Manifest, ManifestOf, Plain } from '../../manifest/plain.js';
import { wholeQuantity } from '../../manifest/quantity.js';
import { type Identity, metadataOf } from '../../workload/identity.js';
import { type PodTemplate, withPodTemplate } from '../../workload/pod-template.js';
import { containerResources, type StatedResources } from '../../workload/resources.js';
import { containerSecurityContext } from '../../workload/security-context.js';
import { claimVolume, emptyVolume } from '../../workload/volumes.js';
import { propertyLines } from '../config/properties.js';
import { sparkImage } from '../naming/catalogue.js';
import { sparkHome, sparkPodUser } from './pod-parts.js';

/** What the objects of a history server follow from. */
export interface HistorySettings {
  readonly name: string;
  readonly namespace?: string | undefined;
  /** Address of the folder with the event logs. */
  readonly logs: string;
  readonly claimName?: string;
  readonly version?: '4.3' | '3.5';
  readonly image?: string;
  readonly config?: Readonly<Record<string, string>>;
  readonly resources?: StatedResources;
  readonly podTemplate?: PodTemplate;
  readonly clients?: readonly object[];
}

/** Where a claim with event logs is mounted. */
export const historyFolder = '/opt/spark/event-logs';

const container = 'history-server';
const port = 18_080;
const settingsFolder = '/opt/spark/history';
const file = 'spark.properties';

const defaultResources = {
  requests: { cpu: '100m', memory: '1Gi' },
  limits: { cpu: '2', memory: '1Gi' },
} as const satisfies DefaultResources;

const mebi = 1024n * 1024n;

/** The objects of a history server. */
export function historyObjects(settings: HistorySettings) {
  const { name, namespace } = settings;
  const identity: Identity = { name, namespace, labels: labelsOf(name), managedBy: 'cdk8s' };
  const metadata = metadataOf(identity);
  const configMap: ManifestOf<k8s.KubeConfigMapProps> = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata },
    data: { [file]: propertiesOf(settings) },
  };
  return {
    configMap,
    // The server asks the API server nothing.
    serviceAccount: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata,
      automountServiceAccountToken: false,
    } as Manifest,
    deployment: deploymentOf(settings, identity),
    service: serviceOf(identity),
    networkPolicy: networkPolicyOf(settings, identity),
  };
}

function labelsOf(name: string): Identity['labels'] {
  return { 'app.kubernetes.io/name': 'spark-history-server', 'app.kubernetes.io/instance': name };
}

function propertiesOf({ logs, config }: HistorySettings): string {
  return propertyLines({ ...config, 'spark.history.fs.logDirectory': logs, 'spark.history.ui.port': String(port) });
}

function deploymentOf(settings: HistorySettings, identity: Identity): ManifestOf<k8s.KubeDeploymentProps> {
  const { name, claimName, podTemplate } = settings;
  const { labels } = identity;
  const pod = {
    metadata: { labels, annotations: { 'reconstruct.dev/config-hash': fingerprint(propertiesOf(settings)) } },
    spec: {
      automountServiceAccountToken: false,
      containers: [server(settings)],
      enableServiceLinks: false,
      securityContext: sparkPodUser,
      serviceAccountName: name,
      volumes: [
        { name: 'settings', configMap: { name } },
        emptyVolume('tmp'),
        ...(claimName === undefined ? [] : [claimVolume('event-logs', claimName)]),
      ],
    },
  };
  const spread = { mode: 'Add', labelSelector: { matchLabels: labels } } as const;
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: metadataOf(identity) },
    spec: {
      replicas: 1,
      // A volume may allow one node only.
      ...(claimName !== undefined && { strategy: { type: 'Recreate' } }),
      selector: { matchLabels: labels },
      template: withPodTemplate(pod, podTemplate, { container, spread }),
    },
  };
}

function server(settings: HistorySettings): Plain<k8s.Container> {
  const { claimName, version = '4.3', image, resources: stated } = settings;
  const resources = containerResources(stated, defaultResources);
  const heap = (wholeQuantity(resources.limits.memory) * 3n) / 4n / mebi;
  // The first answer starts the server of the API.
  const probe = { httpGet: { path: '/api/v1/version', port: 'http' }, timeoutSeconds: 10 };
  return {
    name: container,
    image: sparkImage({ version, ...(image !== undefined && { image }) }),
    // The entrypoint of the image runs any program with the user that it needs.
    args: [
      ...['/opt/spark/bin/spark-class', 'org.apache.spark.deploy.history.HistoryServer'],
      ...['--properties-file', `${settingsFolder}/${file}`],
    ],
    env: [sparkHome, { name: 'SPARK_DAEMON_MEMORY', value: `${heap}m` }],
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    // A large number of logs is read before the port opens.
    startupProbe: { ...probe, periodSeconds: 5, failureThreshold: 120 },
    readinessProbe: { ...probe, periodSeconds: 10 },
    livenessProbe: { ...probe, periodSeconds: 30, failureThreshold: 6 },
    resources: resources as Plain<k8s.ResourceRequirements>,
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'settings', mountPath: settingsFolder, readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
      ...(claimName === undefined ? [] : [{ name: 'event-logs', mountPath: historyFolder }]),
    ],
  };
}

function serviceOf(identity: Identity): Manifest {
  const spec = {
    selector: identity.labels,
    ports: [{ name: 'http', port, protocol: 'TCP', targetPort: 'http' }],
  };
  return { apiVersion: 'v1', kind: 'Service', metadata: metadataOf(identity), spec } as Manifest;
}

/** The page has no login. */
function networkPolicyOf({ clients = [] }: HistorySettings, identity: Identity): Manifest {
  const ingress = clients.length === 0 ? [] : [{ from: clients, ports: [{ port, protocol: 'TCP' }] }];
  const spec = { podSelector: { matchLabels: identity.labels }, policyTypes: ['Ingress'], ingress };
  return {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: metadataOf(identity) },
    spec,
  } as Manifest;
}
