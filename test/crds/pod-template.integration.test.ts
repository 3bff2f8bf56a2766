import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { algorithm, database } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { commonTemplate, everyTemplateField } from '../src/given-pod-template.js';
import { ApiServer } from './given-api-server.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(algorithm);
  await server.serve(database);
});
afterAll(() => server.close());

const tries = {
  Algorithm: (podTemplate: object) =>
    server.tried(algorithm, { metadata: { name: 'it' }, spec: { image: 'i', podTemplate } }),
  Database: (podTemplate: object) =>
    server.tried(database, {
      metadata: { name: 'it' },
      spec: { storage: { size: '1Gi' }, deletionPolicy: 'Retain', podTemplate },
    }),
};

test.each([
  ['Algorithm', everyTemplateField],
  ['Database', commonTemplate],
] as const)('a podTemplate with every field is stored as it is: %s', async (kind, template) => {
  const { body } = await tries[kind](template);
  expect(body.message).toBeUndefined();
  expect(body.spec).toMatchObject({ podTemplate: template });
});

const volume = (source: object) => ({ volumes: [{ name: 'a', ...source }] });
const mount = (fields: object) => ({ ...volume({ emptyDir: {} }), volumeMounts: [{ name: 'a', ...fields }] });
const constraint = (topologyKey: string) => ({
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway' }],
});

/** The same for every kind. Paths are below `spec.podTemplate`. */
const everywhere: readonly (readonly [message: string, template: object])[] = [
  [
    'labels: Invalid value: must not have key app.kubernetes.io/instance, which the operator or Kubernetes sets',
    { labels: { 'app.kubernetes.io/instance': 'a' } },
  ],
  ['labels: Invalid value: must not have key pod-template-hash,', { labels: { 'pod-template-hash': 'a' } }],
  [
    'annotations: Invalid value: must not have key reconstruct.dev/applied,',
    { annotations: { 'reconstruct.dev/applied': 'a' } },
  ],
  [
    'set securityContext.appArmorProfile',
    { annotations: { 'container.apparmor.security.beta.kubernetes.io/algorithm': 'unconfined' } },
  ],
  ['labels: Invalid value: key a b must be a label name', { labels: { 'a b': 'a' } }],
  ['envFrom[0]: Invalid value: must have exactly one source; set secretRef or configMapRef', { envFrom: [{}] }],
  [
    'envFrom[0].prefix: Invalid value: "1-": must start a variable',
    { envFrom: [{ prefix: '1-', secretRef: { name: 's' } }] },
  ],
  [
    'env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.containers"',
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.containers' } } }] },
  ],
  [
    'volumes[0].name: Invalid value: "tmp": must not be a volume of the operator',
    { volumes: [{ name: 'tmp', emptyDir: {} }] },
  ],
  ['unknown field "spec.podTemplate.volumes[0].hostPath"', volume({ hostPath: { path: '/' } })],
  [
    'volumes[0]: Invalid value: must have exactly one source; set one of configMap, secret, emptyDir, persistentVolumeClaim, ephemeral, projected, downwardAPI, csi, because the Pod Security level restricted admits no other sources',
    volume({}),
  ],
  ['must have exactly one source', volume({ emptyDir: {}, secret: { secretName: 's' } })],
  [
    'volumes[0].projected.sources[0]: Invalid value: must have exactly one source',
    volume({ projected: { sources: [{}] } }),
  ],
  [
    'items[0].path: Invalid value: "../a"',
    volume({ secret: { secretName: 's', items: [{ key: 'k', path: '../a' }] } }),
  ],
  ['volumeMounts: Invalid value: must each name one of volumes', { volumeMounts: [{ name: 'a', mountPath: '/a' }] }],
  [
    'volumeMounts: Invalid value: must each name one of volumes',
    { ...mount({ mountPath: '/a' }), volumes: [{ name: 'b', emptyDir: {} }] },
  ],
  ['volumeMounts[0].mountPath: Invalid value: "a/": must be an absolute path', mount({ mountPath: 'a/' })],
  ['must be an absolute path', mount({ mountPath: '/a/../tmp' })],
  ['must be an absolute path', mount({ mountPath: '/a:b' })],
  [
    'mountPath: Invalid value: "/tmp": must be apart from the folders that the operator mounts',
    mount({ mountPath: '/tmp' }),
  ],
  ['must be apart from the folders', mount({ mountPath: '/tmp/a' })],
  ['must be apart from the folders', mount({ mountPath: '/etc' })],
  ['volumeMounts[0].subPath in body should match', mount({ mountPath: '/a', subPath: '../a' })],
  [
    'topologySpreadConstraints[0].maxSkew: Invalid value: 0',
    { topologySpreadConstraints: [{ ...constraint('a').topologySpreadConstraints[0], maxSkew: 0 }] },
  ],
  [
    'topologySpreadConstraints[0]: Invalid value: must not have minDomains with whenUnsatisfiable ScheduleAnyway',
    { topologySpreadConstraints: [{ ...constraint('a').topologySpreadConstraints[0], minDomains: 2 }] },
  ],
  [
    'matchExpressions[0]: Invalid value: must have values, unless the operator is Exists or DoesNotExist',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
          },
        },
      },
    },
  ],
  [
    'must have exactly one value, a whole number, for the operators Gt and Lt',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['x'] }] }],
          },
        },
      },
    },
  ],
  [
    'securityContext.runAsNonRoot: Invalid value: false: must be true, because the Pods meet the Pod Security level restricted; remove the field',
    { securityContext: { runAsNonRoot: false } },
  ],
  [
    'seccompProfile.type: Invalid value: "Unconfined": must be RuntimeDefault or Localhost, because',
    { securityContext: { seccompProfile: { type: 'Unconfined' } } },
  ],
  [
    'appArmorProfile.type: Invalid value: "Unconfined": must be RuntimeDefault or Localhost, because',
    { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
  ],
  [
    'seccompProfile: Invalid value: must have localhostProfile with type Localhost, and only then',
    { securityContext: { seccompProfile: { type: 'Localhost' } } },
  ],
  ['seLinuxOptions.type: Unsupported value: "spc_t"', { securityContext: { seLinuxOptions: { type: 'spc_t' } } }],
  [
    'sysctls[0].name: Unsupported value: "kernel.msgmax"',
    { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } },
  ],
  ['unknown field "spec.podTemplate.securityContext.privileged"', { securityContext: { privileged: true } }],
];

const ofOne: readonly (readonly [kind: keyof typeof tries, message: string, template: object])[] = [
  ['Algorithm', 'must not have key prometheus.io/scrape,', { annotations: { 'prometheus.io/scrape': 'false' } }],
  ['Algorithm', '"/etc/algorithm/a": must be apart', mount({ mountPath: '/etc/algorithm/a' })],
  [
    'Algorithm',
    'securityContext.runAsUser: Invalid value: 0: must not be 0, which is root',
    { securityContext: { runAsUser: 0 } },
  ],
  ['Database', 'must not have key cluster-name,', { labels: { 'cluster-name': 'a' } }],
  ['Database', 'must not have key role,', { labels: { role: 'master' } }],
  ['Database', 'must not have key status,', { annotations: { status: '{}' } }],
  [
    'Database',
    'env[0].name: Invalid value: "POD_IP": must not be a variable that the operator sets',
    { env: [{ name: 'POD_IP' }] },
  ],
  ['Database', '"PATRONI_SCOPE": must not be a variable', { env: [{ name: 'PATRONI_SCOPE' }] }],
  ['Database', '"PGBACKREST_STANZA": must not be a variable', { env: [{ name: 'PGBACKREST_STANZA' }] }],
  ['Database', '"data": must not be a volume of the operator', { volumes: [{ name: 'data', emptyDir: {} }] }],
  ['Database', '"/var/lib/postgresql/wal": must be apart', mount({ mountPath: '/var/lib/postgresql/wal' })],
  [
    'Database',
    'spec.podTemplate.serviceAccountName: Forbidden: must not be set, because Patroni needs',
    { serviceAccountName: 'a' },
  ],
  [
    'Database',
    'spec.podTemplate.securityContext.runAsUser: Forbidden: must not be set, because',
    { securityContext: { runAsUser: 1 } },
  ],
  [
    'Database',
    'spec.podTemplate.securityContext.fsGroup: Forbidden: must not be set',
    { securityContext: { fsGroup: 1 } },
  ],
  ['Database', 'must not have the topologyKey of placement', constraint('topology.kubernetes.io/zone')],
  ['Database', 'must not have the topologyKey of placement', constraint('kubernetes.io/hostname')],
];

const rows = [
  ...(['Algorithm', 'Database'] as const).flatMap((kind) => everywhere.map((row) => [kind, ...row] as const)),
  ...ofOne,
];

describe('refused', () => {
  test.each(rows)('%s: %s', async (kind, message, template) => {
    const { status, body } = await tries[kind](template);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.message).toContain(message);
  });
});
