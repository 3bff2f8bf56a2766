import { boolean, duration, labels, listOf, object, objectName, oneOf, url } from './schemas.js';
import type { ChartValue } from './value.js';

const monitors = ['monitoring.monitor=PodMonitor', 'monitoring.monitor=ServiceMonitor'];

/** The values for metrics and alerts. */
export const monitoringValues: readonly ChartValue[] = [
  {
    name: 'metricsTlsSecret',
    about:
      'Name of a Secret of type `kubernetes.io/tls` in the namespace of the release. The operator then serves the metrics with TLS, and only to clients that can `get` the path `/metrics`.',
    default: '',
    schema: objectName,
    effect: { as: 'text', props: (mark) => ({ metricsTlsSecret: mark }) },
    together: monitors,
  },
  {
    name: 'monitoring.monitor',
    about:
      'Kind of the Prometheus operator that scrapes the metrics: `PodMonitor` or `ServiceMonitor`. With `metricsTlsSecret` it must be `ServiceMonitor`.',
    default: '',
    schema: oneOf('', 'PodMonitor', 'ServiceMonitor'),
    effect: {
      as: 'choice',
      props: {
        PodMonitor: { monitoring: { monitor: 'PodMonitor' } },
        ServiceMonitor: { monitoring: { monitor: 'ServiceMonitor' } },
      },
    },
  },
  {
    name: 'monitoring.interval',
    about: 'Time between two scrapes, such as `30s`. By default the time of Prometheus.',
    default: '',
    schema: duration,
    effect: { as: 'text', props: (mark) => ({ monitoring: { interval: mark } }) },
    together: monitors,
  },
  {
    name: 'monitoring.rules',
    about: 'Whether the release includes a PrometheusRule with the alerts of the systems.',
    default: false,
    schema: boolean,
    effect: { as: 'switch', props: { monitoring: { rules: true } } },
  },
  {
    name: 'monitoring.groups',
    about: 'Groups of alerts of your own in that PrometheusRule.',
    default: [],
    schema: listOf(object),
    effect: { as: 'items', props: (mark) => ({ monitoring: { groups: [{ name: mark, rules: [] }] } }) },
    together: ['monitoring.rules'],
  },
  {
    name: 'monitoring.runbookBaseUrl',
    about: 'URL of the folder `docs` of this release. Each alert then has the annotation `runbook_url`.',
    default: '',
    schema: url,
    effect: {
      as: 'text',
      mark: 'https://mark-runbooks-x',
      props: (mark) => ({ monitoring: { runbookBaseUrl: mark } }),
      expression: '$.Values.monitoring.runbookBaseUrl | trimSuffix "/"',
    },
    together: ['monitoring.rules'],
  },
  {
    name: 'monitoring.labels',
    about: 'Labels of these objects, by which a Prometheus selects them, such as `release: kube-prometheus-stack`.',
    default: {},
    schema: labels,
    effect: { as: 'map', props: (mark) => ({ monitoring: { labels: { [mark]: '' } } }) },
    together: [...monitors, 'monitoring.rules', 'monitoring.groups'],
  },
];
