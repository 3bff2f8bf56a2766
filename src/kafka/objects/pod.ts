import type { k8s } from 'cdk8s-plus-27';
import { defaultKafkaBrokerResources, defaultKafkaControllerResources } from '../../../crds/index.js';
import type { ManifestOf, Plain } from '../../manifest/plain.js';
import { wholeQuantity } from '../../manifest/quantity.js';
import { withPodTemplate } from '../../workload/pod-template.js';
import { containerResources } from '../../workload/resources.js';
import { containerSecurityContext, podSecurityContext } from '../../workload/security-context.js';
import { claimVolume, emptyVolume } from '../../workload/volumes.js';
import {
  certificateFolders,
  logDirectories,
  nodeProperties,
  nodesFolder,
  volumesFolder,
} from '../config/properties.js';
import { externalListeners } from '../external/addresses.js';
import {
  isKafkaController,
  type KafkaGroup,
  kafkaGroups,
  kafkaNodeLabel,
  kafkaNodeLabels,
  kafkaSelector,
} from '../naming/identity.js';
import { kafkaClaimName, kafkaNodeName, kafkaObjectNames, kafkaPorts } from '../naming/object-names.js';
import type { NodePod } from './node-settings.js';

/** The name of the container. */
const container = 'kafka';

/** The user of the image. Its group is also the group of the volumes. */
const user: Plain<k8s.PodSecurityContext> = {
  ...podSecurityContext,
  runAsUser: 1000,
  runAsGroup: 1000,
  fsGroup: 1000,
  fsGroupChangePolicy: 'OnRootMismatch',
};

/**
 * Seconds that a broker has to hand over its partitions and to write its records to the volume. Kubernetes looks at a
 * namespace that is being deleted again after half of it, also if all Pods have long ended.
 */
const secondsToStop = 180;

/** The Pod of a node with its own volume. The operator replaces the Pod instead of changing it. */
export function nodePod(settings: NodePod): ManifestOf<k8s.KubePodProps> {
  const { name, namespace, spec, node } = settings;
  const group = groupOf(settings);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: kafkaNodeName(name, node), namespace, labels: labelsOf(settings) },
    spec: {
      automountServiceAccountToken: false,
      containers: [kafka(settings, group)],
      enableServiceLinks: false,
      hostname: kafkaNodeName(name, node),
      restartPolicy: 'Always',
      securityContext: user,
      serviceAccountName: name,
      subdomain: kafkaObjectNames(name).nodes,
      terminationGracePeriodSeconds: secondsToStop,
      topologySpreadConstraints: [spec.racks.topologyKey, 'kubernetes.io/hostname'].map((topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: kafkaSelector(name, { role: node.role }) },
      })),
      volumes: volumes(settings),
    },
  };
  const labelSelector = { matchLabels: kafkaSelector(name, { role: node.role, group: node.group }) };
  return withPodTemplate(pod, group.podTemplate, { container, spread: { mode: 'Add', labelSelector } });
}

/** Services for clients in other networks select one broker. */
function labelsOf({ name, spec, node }: NodePod): Readonly<Record<string, string>> {
  const isSelected = node.role === 'broker' && externalListeners(spec).length > 0;
  return { ...kafkaNodeLabels(name, node), ...(isSelected && { [kafkaNodeLabel]: String(node.id) }) };
}

function groupOf({ spec, node }: NodePod): KafkaGroup {
  const groups = kafkaGroups(spec);
  // A pool that was removed from the spec runs until its replicas have moved.
  const group = groups.find(({ name }) => name === node.group) ?? groups.find(({ role }) => role === node.role);
  if (!group) throw new Error(`the spec has no ${node.role}`);
  return group;
}

/** The additional volumes of a node, in an order that does not depend on that of the spec. */
function volumesOf(settings: NodePod): readonly string[] {
  return (
    settings.volumes ??
    groupOf(settings)
      .storage.additionalVolumes.map(({ name }) => name)
      .toSorted()
  );
}

function volumeName(volume: string): string {
  return `kafka-data-${volume}`;
}

function kafka(settings: NodePod, group: KafkaGroup): Plain<k8s.Container> {
  const { spec, node, image } = settings;
  const isBroker = node.role === 'broker';
  const defaults = isBroker ? defaultKafkaBrokerResources : defaultKafkaControllerResources;
  const resources = containerResources(group.resources, defaults);
  const port = (name: string, containerPort: number) => ({ name, containerPort, protocol: 'TCP' });
  const serving = isBroker ? 'replication' : 'controller';
  const own = [
    ...(isBroker ? [port('replication', kafkaPorts.replication)] : []),
    ...(isKafkaController(node) ? [port('controller', kafkaPorts.controller)] : []),
  ];
  const listeners = isBroker ? spec.listeners.map((one) => port(one.name, one.port)) : [];
  const probe = { tcpSocket: { port: serving }, periodSeconds: 3, timeoutSeconds: 3 };
  return {
    name: container,
    image,
    env: environment(settings, heapOf(settings, resources.limits.memory)),
    ports: [...own, ...listeners, port('metrics', kafkaPorts.metrics)],
    resources,
    readinessProbe: { ...probe, failureThreshold: 3 },
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'data', mountPath: '/var/lib/kafka' },
      ...volumesOf(settings).map((one) => ({ name: volumeName(one), mountPath: `${volumesFolder}/${one}` })),
      { name: 'properties', mountPath: '/etc/reconstruct', readOnly: true },
      { name: 'run', mountPath: '/run/kafka' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

const mebibyte = 1_048_576n;

/** Mebibytes of the heap: half of the memory, because the page cache and threads need the rest. */
function heapOf({ spec, node }: NodePod, memory: string): number {
  const stated = node.role === 'broker' && spec.jvm.heap !== undefined ? wholeQuantity(spec.jvm.heap) : undefined;
  return Number((stated ?? wholeQuantity(memory) / 2n) / mebibyte);
}

function environment(settings: NodePod, heap: number): readonly Plain<k8s.EnvVar>[] {
  const { spec, node, clusterId, controllers, advertised, firstControllers = [], name, namespace } = settings;
  const first = firstControllers.map(
    (one) =>
      `${one.id}@${kafkaNodeName(name, one)}.${kafkaObjectNames(name).nodes}.${namespace}.svc:${kafkaPorts.controller}:${one.directoryId}`,
  );
  const values = {
    KAFKA_ROLE: node.role,
    KAFKA_CLUSTER_ID: clusterId,
    KAFKA_NODE_PROPERTIES:
      nodeProperties(settings, node, controllers, advertised) + logDirectories(volumesOf(settings)),
    KAFKA_HEAP_MB: String(heap),
    ...(spec.jvm.options.length > 0 && { KAFKA_JVM_OPTIONS: spec.jvm.options.join(' ') }),
    ...(first.length > 0 && { KAFKA_INITIAL_CONTROLLERS: first.join(',') }),
  };
  const rack = { fieldRef: { fieldPath: `metadata.labels['${spec.racks.topologyKey}']` } };
  return [
    ...Object.entries(values).map(([key, value]) => ({ name: key, value })),
    // Kubernetes copies the zone of the machine to the labels of the Pod.
    ...(node.role === 'broker' ? [{ name: 'KAFKA_RACK', valueFrom: rack }] : []),
  ];
}

function volumes(settings: NodePod): readonly Plain<k8s.Volume>[] {
  const { name, node } = settings;
  const names = kafkaObjectNames(name);
  const file = `${node.role}.properties`;
  const folders = node.role === 'broker' ? certificateFolders(settings) : [];
  const certificates = [{ folder: nodesFolder, secret: names.nodeCertificate }, ...folders];
  return [
    claimVolume('data', kafkaNodeName(name, node)),
    ...volumesOf(settings).map((one) => claimVolume(volumeName(one), kafkaClaimName(kafkaNodeName(name, node), one))),
    {
      name: 'properties',
      projected: {
        defaultMode: 0o440,
        sources: [
          { configMap: { name: names.config, items: [{ key: file, path: file }] } },
          ...certificates.flatMap(({ folder, secret }) => {
            const of = (...keys: readonly string[]) => ({
              name: secret,
              items: keys.map((key) => ({ key, path: `tls/${folder}/${key}` })),
            });
            // An ACME server has no CA certificate to state.
            return [{ secret: of('tls.crt', 'tls.key') }, { secret: { ...of('ca.crt'), optional: true } }];
          }),
        ],
      },
    },
    // In memory, because it has private keys.
    emptyVolume('run', { upTo: '16Mi' }),
    emptyVolume('tmp'),
  ];
}
