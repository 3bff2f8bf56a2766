import { alertRules } from '../../imports/alert-rules.js';
import { withMetadata } from '../manifest/added-metadata.js';
import type { Manifest, ManifestMeta } from '../manifest/plain.js';
import { alertsOf } from './alerts.js';
import { podMonitor, type Scraped, serviceMonitor } from './monitor.js';
import type { MonitoringProps } from './monitoring-props.js';
import { prometheusRule } from './prometheus-rule.js';

/** An operator that is monitored. */
export interface MonitoredOperator extends Pick<Scraped, 'matchLabels' | 'tls'> {
  /** Of each object. */
  readonly metadata: ManifestMeta;
  /** The names of its controllers. */
  readonly controllers: readonly string[];
}

/** The objects of the Prometheus operator for an operator. The cluster must have their kinds. */
export function monitoringOf(
  { metadata, controllers, matchLabels, tls }: MonitoredOperator,
  { monitor, interval, rules, groups = [], runbookBaseUrl, labels }: MonitoringProps = {},
): readonly Manifest[] {
  const scraped = { matchLabels, port: 'metrics', interval, tls };
  const alerts = [...(rules ? alertsOf(alertRules, controllers) : []), ...groups];
  return [
    ...(monitor === 'PodMonitor' ? [podMonitor(metadata, scraped)] : []),
    ...(monitor === 'ServiceMonitor' ? [serviceMonitor(metadata, scraped)] : []),
    ...(alerts.length > 0 ? [prometheusRule(metadata, alerts, runbookBaseUrl)] : []),
  ].map((manifest) => withMetadata(manifest, { labels }));
}
