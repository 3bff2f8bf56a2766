import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf, Plain } from '../../manifest/plain.js';
import { withPodTemplate } from '../../workload/pod-template.js';
import { containerSecurityContext } from '../../workload/security-context.js';
import { emptyVolume } from '../../workload/volumes.js';
import { sparkResources } from '../config/memory.js';
import { type SparkAttempt, sparkFiles, sparkFolders } from '../config/properties.js';
import { sparkImage } from '../naming/catalogue.js';
import {
  sparkAttemptName,
  sparkContainers,
  sparkDriverName,
  sparkLabels,
  sparkObjectNames,
  sparkPorts,
  sparkRoleLabel,
  sparkSelector,
} from '../naming/identity.js';
import { sparkAuthVolume, sparkHome, sparkMounts, sparkPodUser, sparkVolumes } from './pod-parts.js';

/** The driver needs some seconds to stop its executors. */
const secondsToStop = 30;

/** The Pod with the driver of an attempt. It runs once: a later attempt has another Pod. */
export function driverPod(attempt: SparkAttempt): ManifestOf<k8s.KubePodProps> {
  const { name, namespace, spec, ref } = attempt;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: sparkDriverName(name, ref),
      namespace,
      labels: { ...sparkLabels(name), [sparkRoleLabel]: 'driver' },
    },
    spec: {
      containers: [driver(attempt)],
      enableServiceLinks: false,
      restartPolicy: 'Never',
      securityContext: sparkPodUser,
      serviceAccountName: sparkObjectNames(name).own,
      terminationGracePeriodSeconds: secondsToStop,
      volumes: [
        { name: 'job', configMap: { name: sparkAttemptName(name, ref) } },
        sparkAuthVolume(name),
        ...sparkVolumes,
        emptyVolume('local'),
      ],
    },
  };
  const labelSelector = { matchLabels: sparkSelector(name, 'driver') };
  return withPodTemplate(pod, spec.driver.podTemplate, {
    container: sparkContainers.driver,
    spread: { mode: 'Add', labelSelector },
  });
}

function driver(attempt: SparkAttempt): Plain<k8s.Container> {
  const { spec, memory } = attempt;
  const port = (name: string, containerPort: number) => ({ name, containerPort, protocol: 'TCP' });
  return {
    name: sparkContainers.driver,
    image: sparkImage(spec),
    args: driverArguments(spec),
    env: [
      sparkHome,
      // The entrypoint of the image binds the driver to this address.
      { name: 'SPARK_DRIVER_BIND_ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'SPARK_LOCAL_DIRS', value: sparkFolders.local },
    ],
    ports: [
      port('driver-rpc', sparkPorts.driver),
      port('blockmanager', sparkPorts.blockManager),
      port('spark-ui', sparkPorts.ui),
    ],
    // The port is open from the start of the SparkContext to its stop, and takes a connection without a word in the log.
    readinessProbe: { tcpSocket: { port: sparkPorts.blockManager }, periodSeconds: 1, failureThreshold: 5 },
    resources: sparkResources(spec, 'driver', memory?.driver) as Plain<k8s.ResourceRequirements>,
    securityContext: containerSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'job', mountPath: sparkFolders.job, readOnly: true },
      { name: 'auth', mountPath: sparkFolders.auth, readOnly: true },
      ...sparkMounts,
      { name: 'local', mountPath: sparkFolders.local },
    ],
  };
}

/** The arguments of the entrypoint, as Spark itself starts a driver in a cluster. */
function driverArguments({ main, mainClass, args }: SparkAttempt['spec']): readonly string[] {
  return [
    'driver',
    ...['--properties-file', `${sparkFolders.job}/${sparkFiles.properties}`],
    // The address is known when the Pod has one. Kubernetes replaces the variable.
    ...['--conf', 'spark.driver.host=$(SPARK_DRIVER_BIND_ADDRESS)'],
    ...(mainClass === undefined ? [] : ['--class', literal(mainClass)]),
    ...[main, ...args].map(literal),
  ];
}

/** Kubernetes replaces `$(NAME)` in arguments, and takes two dollars for one. */
function literal(text: string): string {
  return text.replaceAll('$', '$$$$');
}
