import {
  image,
  imageRegistry,
  listOf,
  object,
  objectName,
  oneOf,
  secretName,
  text,
  textMap,
  volumes,
} from './schemas.js';
import type { ChartValue, Props } from './value.js';

/** The values for the image of the operator. */
export const imageValues: readonly ChartValue[] = [
  {
    name: 'image',
    about:
      'Image of the operator, such as `registry.example.com/operator:0.1.0`. By default the image of this release.',
    default: '',
    schema: image,
    effect: { as: 'text', mark: 'mark-image-x:1', props: (mark) => ({ image: mark }) },
  },
  {
    name: 'imageRegistry',
    about:
      'Registry with the images of the operator, Databases, KafkaClusters, EtcdClusters and the proxies of Gateways, such as `registry.example.com/mirror`. By default the registry of this release.',
    default: '',
    schema: imageRegistry,
    effect: { as: 'text', props: (mark) => ({ imageRegistry: mark }) },
    together: ['image', 'imagePullSecrets'],
  },
  {
    name: 'imagePullPolicy',
    about: 'Pull policy of the image: `Always`, `IfNotPresent` or `Never`. By default the policy of the cluster.',
    default: '',
    schema: oneOf('', 'Always', 'IfNotPresent', 'Never'),
    effect: { as: 'text', props: (mark) => ({ imagePullPolicy: mark }) as unknown as Props },
  },
  {
    name: 'imagePullSecrets',
    about:
      'Names of Secrets with credentials for the registry. With `imageRegistry`, the Pods of all resources get them too, so they must exist in each namespace with such Pods.',
    default: [],
    schema: listOf(secretName),
    effect: { as: 'each', props: (mark) => ({ imagePullSecrets: [mark] }) },
  },
];

/** The values for the Pods of the operator. */
export const podValues: readonly ChartValue[] = [
  {
    name: 'replicas',
    about: 'Number of Pods. One leads, and another takes over within seconds.',
    default: 2,
    schema: { type: 'integer', minimum: 0 },
    effect: { as: 'number', required: true, props: (mark) => ({ replicas: Number(mark) }) },
  },
  {
    name: 'resources',
    about: 'Requests and limits of the container.',
    default: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    schema: object,
    effect: { as: 'map', required: true, props: (mark) => ({ resources: { [mark]: {} } }) as Props },
  },
  {
    name: 'nodeSelector',
    about: 'Labels that a node must have to run the Pods.',
    default: {},
    schema: textMap,
    effect: { as: 'map', props: (mark) => ({ nodeSelector: { [mark]: '' } }) },
  },
  {
    name: 'tolerations',
    about: 'Node taints that the Pods tolerate.',
    default: [],
    schema: listOf(object),
    effect: { as: 'items', props: (mark) => ({ tolerations: [{ key: mark }] }) },
  },
  {
    name: 'affinity',
    about: 'Rules on the nodes of the Pods, in addition to the spread over zones and nodes.',
    default: {},
    schema: object,
    effect: { as: 'map', props: (mark) => ({ affinity: { [mark]: {} } }) as Props },
  },
  {
    name: 'priorityClassName',
    about: 'PriorityClass of the Pods.',
    default: '',
    schema: objectName,
    effect: { as: 'text', props: (mark) => ({ priorityClassName: mark }) },
  },
  {
    name: 'args',
    about: 'Options of the operator, such as `--resync-period=1m`.',
    default: [],
    schema: listOf(text),
    effect: { as: 'items', props: (mark) => ({ args: [mark] }) },
  },
  {
    name: 'env',
    about: 'Environment variables of the operator. Numbers and booleans need quotes.',
    default: {},
    schema: textMap,
    effect: { as: 'pairs', props: (mark) => ({ env: { [mark]: mark.replace('mark', 'text') } }) },
  },
  {
    name: 'volumes',
    about: 'Volumes of the Pods, such as a ConfigMap with a CA of your own.',
    default: [],
    schema: volumes,
    effect: { as: 'items', props: (mark) => ({ volumes: [{ name: mark, emptyDir: {} }] }) },
    together: ['metricsTlsSecret'],
  },
  {
    name: 'volumeMounts',
    about: 'Mounts of these volumes.',
    default: [],
    schema: listOf(object),
    effect: {
      as: 'items',
      props: (mark) => ({
        volumes: [{ name: 'mark-volumes-x', emptyDir: {} }],
        volumeMounts: [{ name: 'mark-volumes-x', mountPath: mark }],
      }),
    },
    together: ['metricsTlsSecret'],
  },
  {
    name: 'logLevel',
    about: 'Least severe level that is logged.',
    default: 'info',
    schema: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    effect: { as: 'text', required: true, props: (mark) => ({ logLevel: mark }) as unknown as Props },
  },
];
