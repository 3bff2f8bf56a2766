import type { ApiObject } from 'cdk8s';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { KubePodTemplate, SparkJobSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import type { PodTemplate } from '../workload/pod-template.js';
import type { StatedResources } from '../workload/resources.js';
import { type HistorySettings, historyFolder, historyObjects } from './objects/history.js';

/** Props of a {@link SparkHistoryServer}. */
export interface SparkHistoryServerProps {
  /** The name of the objects. @default 'spark-history' */
  readonly name?: string;
  /** @default - the namespace of the chart */
  readonly namespace?: string;
  /** Address of the folder with the event logs, such as `s3a://logs/spark`. Set it or `claimName`. */
  readonly logs?: string;
  /** PersistentVolumeClaim with the event logs, which drivers mount too. Set it or `logs`. */
  readonly claimName?: string;
  /** Version of Spark. Use that of the newest jobs. @default '4.3' */
  readonly version?: SparkJobSpec['version'];
  /** An image with the layout of `apache/spark`, and the JAR files that the scheme of `logs` needs. @default - the image for `version` */
  readonly image?: string;
  /** Properties such as `spark.history.fs.cleaner.enabled`. Everyone who can read ConfigMaps can read them. @default {} */
  readonly config?: Readonly<Record<string, string>>;
  /** Three quarters of the memory limit are the heap. @default - 100m to 2 CPUs, 1Gi of memory */
  readonly resources?: StatedResources;
  /** Settings of the Pod, such as environment variables with credentials from a Secret. */
  readonly podTemplate?: PodTemplate;
  /**
   * Peers of a NetworkPolicy that may open the page. It has no login, and shows the properties of all jobs.
   * @default - none: people open it with `kubectl port-forward`
   */
  readonly clients?: readonly object[];
}

/**
 * The history server of Spark: it shows the pages of jobs that have ended, from the event logs that their drivers wrote.
 *
 * @example
 * const history = new SparkHistoryServer(this, 'history', { logs: 's3a://logs/spark', image });
 * new KubeSparkJob(this, 'clean', { spec: { main: 'local:///app/clean.py', config: history.jobConfig } });
 * @see https://spark.apache.org/docs/latest/monitoring.html#viewing-after-the-fact
 */
export class SparkHistoryServer extends Construct {
  readonly deployment: ApiObject;
  readonly service: ApiObject;
  /** `spec.config` of SparkJobs whose event logs the server shows. */
  readonly jobConfig: Readonly<Record<string, string>>;
  /** `spec.driver.podTemplate` of these SparkJobs: the volume of `claimName`. Empty with `logs`. */
  readonly driverPodTemplate: Pick<KubePodTemplate, 'volumes' | 'volumeMounts'>;

  /** @throws {Error} if `logs` and `claimName` are both set, or neither */
  constructor(scope: Construct, id: string, props: SparkHistoryServerProps) {
    super(scope, id);
    const { claimName, name = 'spark-history', namespace = Chart.of(this).namespace } = props;
    const logs = addressOf(props);
    const settings: HistorySettings = { ...props, name, namespace, logs };
    const { configMap, serviceAccount, deployment, service, networkPolicy } = historyObjects(settings);
    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, manifest);
    add('config', configMap);
    add('service-account', serviceAccount);
    this.deployment = add('deployment', deployment);
    this.service = add('service', service);
    add('network-policy', networkPolicy);
    this.jobConfig = { 'spark.eventLog.enabled': 'true', 'spark.eventLog.dir': logs };
    this.driverPodTemplate =
      claimName === undefined
        ? {}
        : {
            volumes: [{ name: 'event-logs', persistentVolumeClaim: { claimName } }],
            volumeMounts: [{ name: 'event-logs', mountPath: historyFolder }],
          };
  }
}

function addressOf({ logs, claimName }: SparkHistoryServerProps): string {
  if (logs !== undefined && claimName === undefined) return logs;
  if (logs === undefined && claimName !== undefined) return `file://${historyFolder}`;
  const got = logs === undefined ? 'neither' : 'both';
  throw new Error(`logs or claimName must be set for the event logs, and not both; got ${got}: set one of them`);
}
