import type { Refused } from './refused-kafka.js';

/** Wrong fields of an EtcdCluster. */
export const REFUSED_ETCD: Refused = [
  [{ replicas: 0 }, 'spec.replicas: Invalid value: 0', 'must be an odd number'],
  [{ replicas: 2 }, 'spec.replicas: Invalid value: 2', 'use 1, 3 or 5'],
  [{ replicas: 7 }, 'spec.replicas: Invalid value: 7', 'less than or equal to 5'],
  [{ storage: { size: '1Mi' } }, 'spec.storage.size: Invalid value', 'must be at least 1Gi'],
  [{ storage: { size: 'big' } }, 'spec.storage.size: Invalid value', 'must be a size, such as'],
  [{ image: 'UPPER' }, 'spec.image: Invalid value: "UPPER"', 'must be the name of an image'],
  [{ replaceAfter: '0s' }, 'spec.replaceAfter: Invalid value', 'must be from 1s to 90d'],
  [{ deletionPolicy: 'Snapshot' }, 'spec.deletionPolicy: Unsupported value', 'supported values: "Retain", "Delete"'],
  [{ placement: { topologyKey: 'a b' } }, 'spec.placement.topologyKey: Invalid value', 'should match'],
  [
    {
      podTemplate: {
        topologySpreadConstraints: [
          { topologyKey: 'kubernetes.io/hostname', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' },
        ],
      },
    },
    'spec.podTemplate.topologySpreadConstraints',
    'set placement.spread instead',
  ],
  [
    { podTemplate: { env: [{ name: 'ETCD_NAME', value: 'a' }] } },
    'spec.podTemplate.env[0].name: Invalid value: "ETCD_NAME"',
    'must not be a variable that the operator sets',
  ],
  [
    { podTemplate: { volumes: [{ name: 'data', emptyDir: {} }] } },
    'spec.podTemplate.volumes[0].name: Invalid value: "data"',
    'must not be a volume of the operator',
  ],
  [
    { podTemplate: { serviceAccountName: 'mine' } },
    'spec.podTemplate.serviceAccountName',
    'annotate the ServiceAccount of the cluster instead',
  ],
  [{ podTemplate: { securityContext: { runAsUser: 1 } } }, 'spec.podTemplate.securityContext.runAsUser', 'remove it'],
];
