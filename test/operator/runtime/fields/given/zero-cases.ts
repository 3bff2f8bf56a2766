import type { ObjectKind } from '../../../../../operator/runtime/kubernetes/kinds.js';

/** A kind of Kubernetes, and an object of it with most of the records that have zero values. */
export interface ZeroCase {
  readonly kind: ObjectKind;
  readonly content: Readonly<Record<string, unknown>>;
}

/** @param type such as `apps/v1 Deployment deployments` */
function of(type: string, content: ZeroCase['content']): ZeroCase {
  const [apiVersion = '', kind = '', plural = ''] = type.split(' ');
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { kind: { group, version, kind, plural, namespaced: true }, content };
}

const labels = { app: 'zero' };
const selector = { matchLabels: labels };
const fieldRef = { fieldPath: 'metadata.name' };
const key = { name: 'a', key: 'b' };
const exec = { command: ['true'] };
const httpGet = { port: 80, httpHeaders: [{ name: 'A', value: 'b' }] };
const container = {
  ...{ name: 'main', image: 'main:1', ports: [{ containerPort: 80 }], resources: { requests: { cpu: '1' } } },
  env: [
    { name: 'A', valueFrom: { fieldRef } },
    { name: 'B', valueFrom: { configMapKeyRef: key } },
    { name: 'C', valueFrom: { secretKeyRef: key } },
    { name: 'D' },
  ],
  envFrom: [{ configMapRef: { name: 'a' } }, { secretRef: { name: 'a' } }],
  ...{ livenessProbe: { httpGet }, readinessProbe: { exec }, startupProbe: { grpc: { port: 80 } } },
  lifecycle: { preStop: { exec }, postStart: { httpGet } },
  volumeMounts: [{ name: 'config', mountPath: '/config' }],
  securityContext: { capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' } },
};
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const downwardAPI = { items: [{ path: 'a', fieldRef }] };
const volumes = [
  { name: 'config', configMap: { name: 'a', items: [{ key: 'a', path: 'a' }] } },
  { name: 'secret', secret: { secretName: 'a' } },
  { name: 'empty', emptyDir: {} },
  { name: 'claim', persistentVolumeClaim: { claimName: 'a' } },
  { name: 'host', hostPath: { path: '/a' } },
  { name: 'csi', csi: { driver: 'a.example.org' } },
  { name: 'nfs', nfs: { server: 'a', path: '/a' } },
  { name: 'downward', downwardAPI },
  { name: 'ephemeral', ephemeral: { volumeClaimTemplate: { spec: claim } } },
  {
    name: 'projected',
    projected: {
      sources: [
        ...[{ configMap: { name: 'a' } }, { secret: { name: 'a' } }, { downwardAPI }],
        { serviceAccountToken: { path: 'a' } },
      ],
    },
  },
];
const term = { labelSelector: selector, topologyKey: 'zone' };
const preference = { matchExpressions: [{ key: 'a', operator: 'Exists' }] };
const pod = {
  ...{ containers: [container], initContainers: [{ name: 'first', image: 'a:1' }], volumes },
  affinity: {
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [term],
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
    },
  },
  tolerations: [{ operator: 'Exists' }],
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
  ],
  ...{ hostAliases: [{ ip: '127.0.0.1' }], dnsConfig: { options: [{ name: 'a' }] } },
  ...{
    imagePullSecrets: [{ name: 'a' }],
    securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] },
  },
};
/** Of workloads, whose Pods are of the type that the Pod has. */
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'main:1' }] } };
const onceTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const apiGroup = 'rbac.authorization.k8s.io';
const backend = { service: { name: 'a', port: { number: 80 } } };
const port = { port: 80 };

/** The kinds that controllers of this package own, and more that authors own. */
export const zeroCases: readonly ZeroCase[] = [
  of('v1 ConfigMap configmaps', {}),
  of('v1 Secret secrets', {}),
  of('v1 ServiceAccount serviceaccounts', { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'a' }] }),
  of('v1 Service services', { spec: { selector: labels, ports: [port] } }),
  of('v1 PersistentVolumeClaim persistentvolumeclaims', { spec: claim }),
  of('v1 Pod pods', { spec: pod }),
  of('apps/v1 Deployment deployments', { spec: { selector, template, strategy: { rollingUpdate: { maxSurge: 1 } } } }),
  of('apps/v1 DaemonSet daemonsets', { spec: { selector, template, updateStrategy: {} } }),
  of('apps/v1 StatefulSet statefulsets', {
    spec: { selector, template, volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }], ordinals: {} },
  }),
  of('apps/v1 ControllerRevision controllerrevisions', { data: { a: { b: '' } }, revision: 0 }),
  of('batch/v1 Job jobs', { spec: { template: onceTemplate } }),
  of('batch/v1 CronJob cronjobs', {
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: onceTemplate } } },
  }),
  of('autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers', {
    spec: {
      ...{ maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        { type: 'Pods', pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '1' } } },
      ],
      behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
    },
  }),
  of('policy/v1 PodDisruptionBudget poddisruptionbudgets', { spec: { selector } }),
  of('networking.k8s.io/v1 Ingress ingresses', {
    spec: {
      rules: [{ host: 'a.example.org', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      tls: [{ hosts: ['a.example.org'] }],
    },
  }),
  of('networking.k8s.io/v1 NetworkPolicy networkpolicies', {
    spec: {
      podSelector: selector,
      ingress: [{ from: [{ podSelector: selector }, { ipBlock: { cidr: '10.0.0.0/8' } }], ports: [port] }, {}],
      egress: [{ to: [{ podSelector: selector }] }],
    },
  }),
  of('discovery.k8s.io/v1 EndpointSlice endpointslices', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], conditions: {}, targetRef: {}, hints: {} }],
    ports: [{ name: 'a', port: 80 }],
  }),
  of('coordination.k8s.io/v1 Lease leases', {}),
  of(`${apiGroup}/v1 Role roles`, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
  of(`${apiGroup}/v1 RoleBinding rolebindings`, {
    roleRef: { apiGroup, kind: 'Role', name: 'a' },
    subjects: [{ kind: 'User', apiGroup, name: 'a' }],
  }),
];
