import { sparkImage } from '../spark-runner.js';

/** Its Deployment, ServiceAccount and roles. */
export const operatorName = 'spark-operator-controller';
/** The ServiceAccount of drivers. */
export const driverAccount = 'spark-operator-spark';
/** Where its program is in its container. */
export const programFolder = '/peer';

const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** What the chart grants, but for leader election. */
const rules = [
  { apiGroups: [''], resources: ['pods'], verbs: [...all, 'deletecollection'] },
  { apiGroups: [''], resources: ['configmaps', 'persistentvolumeclaims', 'services'], verbs: all },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'update', 'patch'] },
  { apiGroups: ['extensions', 'networking.k8s.io'], resources: ['ingresses'], verbs: all },
  {
    apiGroups: ['sparkoperator.k8s.io'],
    resources: ['sparkapplications', 'scheduledsparkapplications', 'sparkconnects'],
    verbs: all,
  },
  {
    apiGroups: ['sparkoperator.k8s.io'],
    resources: [
      ...['sparkapplications/status', 'sparkapplications/finalizers', 'scheduledsparkapplications/status'],
      ...['scheduledsparkapplications/finalizers', 'sparkconnects/status'],
    ],
    verbs: ['get', 'update', 'patch'],
  },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update'] },
];

const driverRules = [
  {
    apiGroups: [''],
    resources: ['pods', 'configmaps', 'persistentvolumeclaims', 'services'],
    verbs: [...all, 'deletecollection'],
  },
];

/** The objects of the chart with its values, without the webhook, and for one namespace. */
export function operatorObjects(namespace: string): readonly object[] {
  return [
    ...granted(namespace, operatorName, rules),
    ...granted(namespace, driverAccount, driverRules),
    deployment(namespace),
  ];
}

function granted(namespace: string, name: string, rules: readonly object[]): readonly object[] {
  const metadata = { namespace, name };
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, subjects, roleRef },
  ];
}

/**
 * The program is copied into the container, which waits for it. Its process is not the first one of the container, so that it can
 * be killed.
 */
const start = `
until [ -x ${programFolder}/spark-operator ]; do sleep 0.2; done
${programFolder}/spark-operator "$@" & child=$!
echo $child > ${programFolder}/pid
trap 'kill $child' TERM
wait $child`;

function deployment(namespace: string): object {
  const labels = { 'app.kubernetes.io/name': 'spark-operator', 'app.kubernetes.io/component': 'controller' };
  const args = [
    ...['controller', 'start', '--zap-log-level=info', `--namespaces=${namespace}`, '--controller-threads=10'],
    ...[
      '--enable-ui-service=true',
      '--enable-metrics=true',
      '--metrics-bind-address=:8080',
      '--metrics-endpoint=/metrics',
    ],
    ...['--metrics-labels=app_type', '--leader-election=true', `--leader-election-lock-name=${operatorName}-lock`],
    ...[`--leader-election-lock-namespace=${namespace}`, '--workqueue-ratelimiter-bucket-qps=50'],
    ...['--workqueue-ratelimiter-bucket-size=500', '--workqueue-ratelimiter-max-delay=6h'],
    ...['--driver-pod-creation-grace-period=10s', '--max-tracked-executor-per-app=1000'],
  ];
  const container = {
    name: 'spark-operator-controller',
    image: sparkImage(),
    command: ['sh', '-c', start, 'sh', ...args],
    env: [{ name: 'SPARK_HOME', value: '/opt/spark' }],
    volumeMounts: [
      { name: 'peer', mountPath: programFolder },
      { name: 'tmp', mountPath: '/tmp' },
    ],
    readinessProbe: { httpGet: { port: 8081, path: '/readyz' }, periodSeconds: 1, failureThreshold: 120 },
    securityContext: {
      ...{ readOnlyRootFilesystem: true, privileged: false, allowPrivilegeEscalation: false, runAsNonRoot: true },
      ...{ capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' } },
    },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: operatorName, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: operatorName,
          securityContext: { fsGroup: 185, runAsUser: 185 },
          containers: [container],
          volumes: [
            { name: 'peer', emptyDir: {} },
            { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } },
          ],
        },
      },
    },
  };
}

/** Selects the Pod of the Deployment. */
export const operatorSelector = 'app.kubernetes.io/name=spark-operator,app.kubernetes.io/component=controller';
