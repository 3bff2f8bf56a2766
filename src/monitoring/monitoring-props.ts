import type { AlertGroup } from './alerts.js';

/** How the Prometheus operator monitors an installation. */
export interface MonitoringProps {
  /**
   * The kind that scrapes the Pods of the operator. With `metricsTlsSecret` it must be a ServiceMonitor: Prometheus then
   * sends the token of its ServiceAccount, and trusts `ca.crt` of the Secret.
   * @default - neither; annotations of the Pods name the port
   */
  readonly monitor?: 'PodMonitor' | 'ServiceMonitor';
  /** Time between two scrapes, such as `30s`. @default - the default of Prometheus */
  readonly interval?: string;
  /** Whether the installation includes a PrometheusRule with the alerts of its controllers. @default false */
  readonly rules?: boolean;
  /** Alerts of your own in that PrometheusRule. @default [] */
  readonly groups?: readonly AlertGroup[];
  /**
   * URL of the folder `docs` of this package in the version that runs. Each alert then has the annotation `runbook_url`.
   * @default - no such annotation
   */
  readonly runbookBaseUrl?: string;
  /**
   * Labels of these objects, by which a Prometheus selects them, such as `release: kube-prometheus-stack`.
   * @default {}
   */
  readonly labels?: Readonly<Record<string, string>>;
}
