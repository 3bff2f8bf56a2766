import { PLACEMENT_SPREADS } from '../database/pod-template.js';
import { noSize, storageClassName } from '../database/storage.js';
import { imageText } from '../fields/names.js';
import { requestsAndLimits, resourceRules } from '../fields/resources.js';
import { notSet, podTemplate } from '../pod-template/pod-template.js';
import {
  defineKind,
  duration,
  enumeration,
  immutable,
  integer,
  object,
  quantity,
  type Rule,
  string,
} from '../schema/index.js';
import { defaultEtcdResources } from './default-resources.js';
import { etcdClusterStatus } from './status.js';

/** The longest name: its Services and certificates still have one. */
const longestName = 40;
const NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

const ownUser = 'because the files of the volumes belong to user and group 1000; remove it';

const ODD: Rule = {
  rule: 'self >= 1 && self % 2 == 1',
  message: 'must be an odd number, because one more member would not survive one more failure; use 1, 3 or 5',
  holds: (replicas: number) => replicas >= 1 && replicas % 2 === 1,
};

const storage = object(
  'Volume of each member.',
  {
    size: quantity(
      'Size of the volume, and at least 1Gi. The data can use up to 8Gi, and half of the volume beside 448Mi for the log. You can increase it while the member runs. Defaults to 2Gi.',
      {
        message: noSize,
        rules: [
          {
            rule: "!isQuantity(string(self)) || quantity(string(self)).compareTo(quantity('1Gi')) >= 0",
            message: 'must be at least 1Gi, because the log of etcd alone takes 448Mi; use 1Gi or more',
          },
        ],
        default: '2Gi',
      },
    ),
    storageClassName: storageClassName(
      'StorageClass of the volumes. Immutable. Defaults to the StorageClass of the cluster.',
    ),
  },
  { default: {}, rules: [immutable('storageClassName')] },
);

const placement = object(
  'Placement of the members.',
  {
    topologyKey: string('Node label by which members are spread. Defaults to topology.kubernetes.io/zone.', {
      minLength: 1,
      maxLength: 317,
      pattern: '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
      default: 'topology.kubernetes.io/zone',
    }),
    spread: enumeration(
      'Behavior if no separate place is available for a member. With `Required`, the member waits. With `Preferred`, it shares a place. Defaults to Preferred.',
      ['Required', 'Preferred'],
      { default: 'Preferred' },
    ),
  },
  { default: {} },
);

const template = podTemplate({
  description: 'Settings of the Pods.',
  container: 'etcd',
  reserved: {
    labels: ['reconstruct.dev/etcd-member'],
    // etcd ends if a variable has another value for one of its flags.
    envPrefixes: ['ETCD_', 'ETCDCTL_'],
    volumes: ['data', 'tls'],
    mountPaths: ['/etc/reconstruct', '/var/lib/etcd'],
  },
  spread: '`topologySpreadConstraints` are added to those of `placement`.',
  rules: [
    notSet('.serviceAccountName', 'because members need no rights; annotate the ServiceAccount of the cluster instead'),
    notSet('.securityContext.runAsUser', ownUser),
    notSet('.securityContext.runAsGroup', ownUser),
    notSet('.securityContext.fsGroup', ownUser),
  ],
});

/** The desired state of an EtcdCluster. */
export const etcdClusterSpec = object(
  'Desired state of the EtcdCluster.',
  {
    replicas: integer(
      'Number of members, which must be odd. One member does not survive a failure. Immutable. Defaults to 3.',
      { maximum: 5, default: 3, rules: [ODD, immutable()] },
    ),
    image: string('Container image of the members, with etcd 3.4. Defaults to the image of the operator.', {
      ...imageText,
      optional: true,
    }),
    replaceAfter: duration(
      'Time after which a member whose machine was deleted is replaced by a new one with an empty volume. Defaults to 5m.',
      { minimum: '1s', maximum: '90d', default: '5m' },
    ),
    storage,
    resources: object('Resources of etcd.', requestsAndLimits(defaultEtcdResources), {
      default: {},
      rules: resourceRules,
    }),
    placement,
    podTemplate: template,
    deletionPolicy: enumeration(
      'Volumes when the EtcdCluster is deleted, including those of replaced members. `Retain` keeps the volumes, and `Delete` deletes them. Defaults to Retain.',
      ['Retain', 'Delete'],
      { default: 'Retain' },
    ),
  },
  { rules: [PLACEMENT_SPREADS] },
);

/** The kind EtcdCluster: the store of other kinds. */
export const etcdCluster = defineKind({
  group: 'reconstruct.dev',
  kind: 'EtcdCluster',
  shortNames: ['etcdcl'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Replicated etcd, the store of other kinds.',
      spec: etcdClusterSpec,
      status: etcdClusterStatus,
      rules: [
        {
          rule: `self.metadata.name.size() <= ${longestName} && self.metadata.name.matches('${NAME}')`,
          message: `must have a name that its Services can have; use up to ${longestName} lower-case letters, digits and -, starting with a letter`,
        },
      ],
      columns: [
        {
          name: 'Ready',
          type: 'string',
          jsonPath: '.status.ready',
          description: 'Ready members out of the desired ones.',
        },
        {
          name: 'Members',
          type: 'integer',
          jsonPath: '.status.replicas',
          description: 'Members of the cluster in etcd.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
