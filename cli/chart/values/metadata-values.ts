import { annotations, labels } from './schemas.js';
import type { ChartValue } from './value.js';

/** The settings that bring objects, which get the labels and annotations too. */
const ofObjects = [
  'namespaces',
  'gatewayProxies',
  'metricsTlsSecret',
  'monitoring.monitor=PodMonitor',
  'monitoring.monitor=ServiceMonitor',
  'monitoring.rules',
  'monitoring.groups',
];

/** The values for labels and annotations. Those of the Pods and the ServiceAccount come last, because they count there. */
export const metadataValues: readonly ChartValue[] = [
  {
    name: 'labels',
    about: 'Labels of all objects and of the Pods.',
    default: {},
    schema: labels,
    effect: { as: 'map', props: (mark) => ({ labels: { [mark]: '' } }) },
    together: ofObjects,
  },
  {
    name: 'annotations',
    about: 'Annotations of all objects and of the Pods.',
    default: {},
    schema: annotations,
    effect: { as: 'map', overrides: true, props: (mark) => ({ annotations: { [mark]: '' } }) },
    together: ofObjects,
  },
  {
    name: 'podLabels',
    about: 'Labels of the Pods, in addition to `labels`.',
    default: {},
    schema: labels,
    effect: { as: 'map', props: (mark) => ({ podLabels: { [mark]: '' } }) },
  },
  {
    name: 'podAnnotations',
    about:
      'Annotations of the Pods, in addition to `annotations`. They can replace those for Prometheus, such as `prometheus.io/scrape`.',
    default: {},
    schema: annotations,
    effect: { as: 'map', overrides: true, props: (mark) => ({ podAnnotations: { [mark]: '' } }) },
    together: ['metricsTlsSecret'],
  },
  {
    name: 'serviceAccount.annotations',
    about: 'Annotations of the ServiceAccount, such as `eks.amazonaws.com/role-arn` for an identity at a cloud.',
    default: {},
    schema: annotations,
    effect: { as: 'map', props: (mark) => ({ serviceAccountAnnotations: { [mark]: '' } }) },
  },
];
