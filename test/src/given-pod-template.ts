import type { AlgorithmSpecInput } from '../../src/index.js';

type PodTemplate = NonNullable<AlgorithmSpecInput['podTemplate']>;

const selector = { matchLabels: { app: 'other' }, matchExpressions: [{ key: 'tier', operator: 'Exists' as const }] };
const near = { topologyKey: 'kubernetes.io/hostname', labelSelector: selector };
const nodes = { matchExpressions: [{ key: 'cores', operator: 'Gt' as const, values: ['4'] }] };

/** A template with every field that all kinds take. */
export const commonTemplate = {
  labels: { team: 'fraud', empty: '' },
  annotations: { 'example.com/owner': 'fraud' },
  env: [
    { name: 'A', value: 'b' },
    { name: 'EMPTY', value: '' },
    { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: false } } },
    { name: 'FILE', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: true } } },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ],
  envFrom: [{ prefix: 'APP_', secretRef: { name: 's', optional: true } }, { configMapRef: { name: 'c' } }],
  volumes: [
    { name: 'files', configMap: { name: 'c', items: [{ key: 'k', path: 'a/b', mode: 256 }] } },
    { name: 'keys', secret: { secretName: 's', defaultMode: 288, optional: true } },
    { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1024Mi' } },
    { name: 'shared', persistentVolumeClaim: { claimName: 'models', readOnly: false } },
    {
      name: 'own',
      ephemeral: {
        volumeClaimTemplate: {
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2048Mi' } } },
        },
      },
    },
    {
      name: 'several',
      projected: {
        sources: [
          { configMap: { name: 'c' } },
          { serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 600 } },
          { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        ],
      },
    },
    { name: 'pod', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
    { name: 'driver', csi: { driver: 'secrets.example.com', readOnly: true, volumeAttributes: { a: 'b' } } },
  ],
  volumeMounts: [
    { name: 'files', mountPath: '/files', readOnly: true },
    { name: 'scratch', mountPath: '/scratch', readOnly: false, subPath: 'a/b' },
  ],
  nodeSelector: { disk: 'ssd', empty: '', constructor: 'x' } as unknown as Record<string, string>,
  tolerations: [{ operator: 'Exists' }, { key: 'gpu', value: '', effect: 'NoExecute', tolerationSeconds: 0 }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodes] },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['old'] }] } },
      ],
    },
    podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: near }] },
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...near, namespaces: ['other'] }] },
  },
  topologySpreadConstraints: [
    {
      ...{ maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', minDomains: 2 },
      ...{ labelSelector: selector, nodeAffinityPolicy: 'Ignore', nodeTaintsPolicy: 'Honor' },
    },
    { maxSkew: 1, topologyKey: 'row', whenUnsatisfiable: 'ScheduleAnyway' },
  ],
  priorityClassName: 'system-cluster-critical',
  imagePullSecrets: [{ name: 'registry' }],
  securityContext: {
    runAsNonRoot: true,
    fsGroupChangePolicy: 'Always',
    supplementalGroups: [1000],
    seccompProfile: { type: 'Localhost', localhostProfile: 'server.json' },
    appArmorProfile: { type: 'RuntimeDefault' },
    seLinuxOptions: { type: 'container_t', level: 's0:c1,c2' },
    sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }],
  },
} satisfies PodTemplate;

/** A template with every field that the server of an Algorithm takes. */
export const everyTemplateField = {
  ...commonTemplate,
  serviceAccountName: 'reader',
  securityContext: { ...commonTemplate.securityContext, runAsUser: 1000, runAsGroup: 0, fsGroup: 2000 },
} satisfies PodTemplate;
