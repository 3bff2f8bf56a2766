import type { SparkJobSpec } from '../../../imports/index.js';
import { numericQuantity } from '../../manifest/quantity.js';
import { sparkImage } from '../naming/catalogue.js';
import {
  type SparkAttemptRef,
  sparkAppId,
  sparkAuthKeys,
  sparkContainers,
  sparkDriverName,
  sparkPorts,
} from '../naming/identity.js';
import { type MemoryLimits, sparkMemory, sparkResources } from './memory.js';

/** An attempt of a SparkJob. */
export interface SparkAttempt {
  /** The name of the SparkJob. */
  readonly name: string;
  readonly namespace: string;
  /** The UID of the SparkJob. */
  readonly uid: string;
  readonly spec: SparkJobSpec;
  readonly ref: SparkAttemptRef;
  /** Memory limits after a growth. @default - those of the spec */
  readonly memory?: MemoryLimits | undefined;
}

/** Folders of the containers. */
export const sparkFolders = {
  job: '/opt/spark/job',
  auth: '/opt/spark/auth',
  local: '/var/data/local',
  work: '/opt/spark/work-dir',
} as const;

/** The files of the ConfigMap of an attempt. */
export const sparkFiles = { properties: 'spark.properties', executor: 'executor.yaml' } as const;

/** Executors that are used when the spec does not say how many. */
const defaultExecutors = 2;

/** The number of executors that a job asks for, the highest one if it follows the load. */
export function wantedSparkExecutors({ executors }: Pick<SparkJobSpec, 'executors'>): number {
  return executors.dynamic?.max ?? executors.replicas ?? defaultExecutors;
}

/** The properties of an attempt, as `spark-submit` reads them. */
export function sparkProperties(attempt: SparkAttempt): string {
  const { spec } = attempt;
  const all = {
    ...defaultProperties(spec),
    ...spec.config,
    ...dependencyProperties(spec),
    ...connectionProperties(attempt),
    ...executorProperties(attempt),
  };
  return propertyLines(all);
}

/** Properties as the lines of a file, sorted by their names. */
export function propertyLines(all: Readonly<Record<string, string>>): string {
  const lines = Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return lines.map(([key, value]) => `${key}=${escaped(value)}\n`).join('');
}

/** What users can change in `config`. */
function defaultProperties(spec: SparkJobSpec): Readonly<Record<string, string>> {
  return {
    // A driver whose executors fail again and again ends with the exit code 11.
    'spark.executor.maxNumFailures': String(Math.max(3, 2 * wantedSparkExecutors(spec))),
    'spark.executor.failuresValidityInterval': '1h',
    // An executor without its driver ends after a minute, and not after ten.
    'spark.executor.heartbeat.maxFailures': '6',
    'spark.jars.ivy': '/tmp/.ivy2',
    // Threads that the program left do not keep the driver: Spark 4 and later.
    // Without it, the names of metrics have the identifier of the application.
    'spark.metrics.namespace': 'spark',
    'spark.submit.callSystemExitOnMainExit': 'true',
    'spark.ui.prometheus.enabled': 'true',
    // Whoever reaches the page could end stages.
    'spark.ui.killEnabled': 'false',
  };
}

function dependencyProperties({ dependencies = {} }: SparkJobSpec): Readonly<Record<string, string>> {
  const { jars, pyFiles, files, archives, packages, repositories } = dependencies;
  const lists = {
    'spark.jars': jars,
    'spark.submit.pyFiles': pyFiles,
    'spark.files': files,
    'spark.archives': archives,
    'spark.jars.packages': packages,
    'spark.jars.repositories': repositories,
  };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([key, values = []]) => (values.length > 0 ? [[key, values.join(',')]] : [])),
  );
}

function connectionProperties({ name, namespace, uid, spec, ref, memory }: SparkAttempt) {
  const driver = sparkMemory(spec, 'driver', memory?.driver);
  const secret = `${sparkFolders.auth}/${sparkAuthKeys.driver}`;
  return {
    'spark.app.id': sparkAppId(uid, ref),
    'spark.app.name': name,
    'spark.authenticate': 'true',
    'spark.authenticate.secret.driver.file': secret,
    'spark.authenticate.secret.executor.file': secret,
    'spark.blockManager.port': String(sparkPorts.blockManager),
    'spark.driver.blockManager.port': String(sparkPorts.blockManager),
    'spark.driver.memory': `${driver.heap}m`,
    'spark.driver.memoryOverhead': `${driver.overhead}m`,
    'spark.driver.port': String(sparkPorts.driver),
    // The driver needs fewer permissions without these.
    'spark.kubernetes.driver.ownPersistentVolumeClaim': 'false',
    'spark.kubernetes.driver.reusePersistentVolumeClaim': 'false',
    'spark.kubernetes.driver.service.deleteOnTermination': 'false',
    'spark.kubernetes.executor.disableConfigMap': 'true',
    'spark.kubernetes.driver.pod.name': sparkDriverName(name, ref),
    'spark.kubernetes.namespace': namespace,
    'spark.master': 'k8s://https://kubernetes.default.svc',
    'spark.submit.deployMode': 'client',
    'spark.ui.port': String(sparkPorts.ui),
  };
}

function executorProperties({ spec, memory }: SparkAttempt): Readonly<Record<string, string>> {
  const { heap, overhead } = sparkMemory(spec, 'executor', memory?.executor);
  const { requests, limits } = sparkResources(spec, 'executor', memory?.executor);
  const { dynamic, cores } = spec.executors;
  return {
    'spark.executor.cores': String(cores ?? Math.max(1, Math.ceil(numericQuantity(requests.cpu)))),
    'spark.executor.memory': `${heap}m`,
    'spark.executor.memoryOverhead': `${overhead}m`,
    'spark.kubernetes.container.image': sparkImage(spec),
    // The operator reads why executors ended, and deletes them after their attempt.
    'spark.kubernetes.executor.deleteOnTermination': 'false',
    'spark.kubernetes.executor.limit.cores': limits.cpu,
    'spark.kubernetes.executor.podTemplateContainerName': sparkContainers.executor,
    'spark.kubernetes.executor.podTemplateFile': `${sparkFolders.job}/${sparkFiles.executor}`,
    'spark.kubernetes.executor.request.cores': requests.cpu,
    ...(dynamic
      ? {
          'spark.dynamicAllocation.enabled': 'true',
          'spark.dynamicAllocation.maxExecutors': String(dynamic.max),
          'spark.dynamicAllocation.minExecutors': String(dynamic.min),
          // No shuffle service keeps the files of an executor that is removed.
          'spark.dynamicAllocation.shuffleTracking.enabled':
            spec.config['spark.dynamicAllocation.shuffleTracking.enabled'] ?? 'true',
        }
      : { 'spark.executor.instances': String(wantedSparkExecutors(spec)) }),
  };
}

/** A value as `java.util.Properties` reads it: a backslash and a space at the start are special. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replace(/^ /, '\\ ');
}
