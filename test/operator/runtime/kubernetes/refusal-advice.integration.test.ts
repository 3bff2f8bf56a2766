import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { adviceIn } from '../../../../operator/runtime/kubernetes/refusal-advice.js';
import { freshNamespace, givenControlPlane } from '../../../given/control-plane.js';

const controlPlane = givenControlPlane();

/** Applies objects, and returns what the API server complains of. */
async function applied(namespace: string, items: readonly object[], ...flags: readonly string[]): Promise<string> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { stderr } = await controlPlane.kubectl(['apply', '-n', namespace, ...flags, '-f', '-'], { input });
  return stderr;
}

const objectOf = (kind: string, apiVersion: string, name: string, spec: object) => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});
const amounts = (cpu: string, memory: string) => ({ cpu, memory });
const resources = { requests: amounts('100m', '64Mi'), limits: amounts('2', '128Mi') };
const pod = (container: object = { resources }, spec: object = {}) =>
  objectOf('Pod', 'v1', 'a', { containers: [{ name: 'server', image: 'i', ...container }], ...spec });
const claim = (storage: string, storageClassName = 'none') =>
  objectOf('PersistentVolumeClaim', 'v1', 'a', {
    accessModes: ['ReadWriteOnce'],
    storageClassName,
    resources: { requests: { storage } },
  });
const quota = (hard: object) => objectOf('ResourceQuota', 'v1', 'team', { hard });
const limitRange = (limit: object) => objectOf('LimitRange', 'v1', 'team', { limits: [limit] });

interface Case {
  readonly of: string;
  readonly before: readonly object[];
  readonly refused: object;
  readonly says: string;
  readonly advice: string;
}

describe('the API server refuses', { timeout: 120_000 }, () => {
  test.each<Case>([
    {
      of: 'a Pod by a quota that is used up',
      before: [quota({ 'limits.cpu': '1' })],
      refused: pod(),
      says: 'exceeded quota: team, requested: limits.cpu=2, used: limits.cpu=0, limited: limits.cpu=1',
      advice: 'raise limits.cpu of ResourceQuota team, or lower the requests and limits in the spec',
    },
    {
      of: 'a Pod by a quota for limits that it lacks',
      before: [quota({ 'limits.cpu': '1' })],
      refused: pod({}),
      says: 'failed quota: team: must specify limits.cpu for: server',
      advice: 'set what ResourceQuota team requires (limits.cpu for: server)',
    },
    {
      of: 'a PVC by a quota of storage',
      before: [quota({ 'requests.storage': '1Gi' })],
      refused: claim('2Gi'),
      says: 'exceeded quota: team, requested: requests.storage=2Gi',
      advice: 'raise requests.storage of ResourceQuota team, or lower the size of the volume in the spec',
    },
    {
      of: 'a PVC by a quota of PVCs',
      before: [quota({ persistentvolumeclaims: '0' })],
      refused: claim('2Gi'),
      says: 'exceeded quota: team, requested: persistentvolumeclaims=1',
      advice: 'raise persistentvolumeclaims of ResourceQuota team, or delete unused objects',
    },
    {
      of: 'a Pod by a LimitRange',
      before: [limitRange({ type: 'Container', min: { cpu: '1' }, max: { memory: '64Mi' } })],
      refused: pod(),
      says: 'minimum cpu usage per Container is 1, but request is 100m',
      advice: 'at least 1 of cpu per Container',
    },
    {
      of: 'a Pod by the ratio of a LimitRange',
      before: [limitRange({ type: 'Container', maxLimitRequestRatio: { cpu: '2' } })],
      refused: pod(),
      says: 'cpu max limit to request ratio per Container is 2',
      advice: 'a cpu limit of at most 2 times the request per Container',
    },
    {
      of: 'a PVC by a LimitRange',
      before: [limitRange({ type: 'PersistentVolumeClaim', min: { storage: '2Gi' } })],
      refused: claim('1Gi'),
      says: 'minimum storage usage per PersistentVolumeClaim is 2Gi',
      advice: 'at least 2Gi of storage per PersistentVolumeClaim',
    },
    {
      of: 'a Pod by its PriorityClass',
      before: [],
      refused: pod({ resources }, { priorityClassName: 'nobody-has-it' }),
      says: 'no PriorityClass with name nobody-has-it was found',
      advice: 'create the PriorityClass nobody-has-it',
    },
    {
      of: 'a Pod by its ServiceAccount',
      before: [],
      refused: pod({ resources }, { serviceAccountName: 'nobody' }),
      says: 'serviceaccount "nobody" not found',
      advice: 'create the ServiceAccount',
    },
  ])('$of', async ({ before, refused, says, advice }) => {
    const namespace = await freshNamespace(controlPlane, 'refusing');
    if (before.length > 0) expect(await applied(namespace, before)).toBe('');
    // A quota is in force once the quota controller has counted what there is.
    const refusal = async () => {
      const stderr = await applied(namespace, [refused], '--dry-run=server');
      expect(stderr).toContain(says);
      return stderr;
    };
    expect(adviceIn(await vi.waitFor(refusal, { timeout: 120_000, interval: 200 }))).toContain(advice);
  });

  test('a Pod by Pod Security admission', async () => {
    const namespace = await freshNamespace(controlPlane, 'refusing');
    const level = 'pod-security.kubernetes.io/enforce=restricted';
    await controlPlane.kubectl(['label', 'namespace', namespace, level]);
    const stderr = await applied(namespace, [pod()]);
    expect(stderr).toContain('violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false');
    expect(adviceIn(stderr)).toMatch(
      /^change securityContext\.allowPrivilegeEscalation, .*securityContext\.seccompProfile\.type of the Pod to meet the Pod Security level restricted:latest/,
    );
  });

  test('a PVC whose StorageClass cannot grow', async () => {
    const namespace = await freshNamespace(controlPlane, 'refusing');
    const fixed = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fixed' },
      provisioner: 'a/b',
    };
    const volume = objectOf('PersistentVolume', 'v1', `volume-of-${namespace}`, {
      ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'fixed' },
      ...{ hostPath: { path: '/nowhere' }, claimRef: { namespace, name: 'a' } },
    });
    await applied(namespace, [fixed, volume, claim('1Gi', 'fixed')]);
    const bound = ['wait', '-n', namespace, 'pvc/a', '--for=jsonpath={.status.phase}=Bound', '--timeout=60s'];
    expect(await controlPlane.kubectl(bound)).toMatchObject({ code: 0 });
    const stderr = await applied(namespace, [claim('2Gi', 'fixed')]);
    expect(stderr).toContain('only dynamically provisioned pvc can be resized');
    expect(adviceIn(stderr)).toContain('set allowVolumeExpansion of the StorageClass to true');
  });

  test.each([
    [
      ['create', 'configmap', 'a'],
      'add the rule {apiGroups: [""], resources: ["configmaps"], verbs: ["create"]} to a Role in the namespace default of nobody',
    ],
    [
      ['get', 'nodes'],
      'add the rule {apiGroups: [""], resources: ["nodes"], verbs: ["list"]} to a ClusterRole of nobody',
    ],
  ])('somebody without the right: kubectl %s', async (command, advice) => {
    const { stderr } = await controlPlane.kubectl([...command, '--as=nobody', '-n', 'default']);
    expect(adviceIn(stderr)).toContain(advice);
  });
});

describe('a webhook', { timeout: 120_000 }, () => {
  let server: Server;
  let authority: CertificateAuthority;
  beforeAll(async () => {
    authority = await CertificateAuthority.create(1);
    const { certificate, key } = await authority.issue({ commonName: '127.0.0.1', hosts: ['127.0.0.1'] });
    server = createServer({ cert: certificate, key }, async (request, response) => {
      let text = '';
      for await (const part of request) text += part;
      const { request: review } = JSON.parse(text);
      const answer = { uid: review.uid, allowed: false, status: { code: 403, message: 'no image of strangers' } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => new Promise((done) => server.close(done)));

  test.each([
    [
      'that denies',
      () => (server.address() as AddressInfo).port,
      'denied the request: no image of strangers',
      'change the object as the webhook denies.example.com demands',
    ],
    // Nothing listens on this port, which needs privileges.
    ['that does not answer', () => 1, 'failed calling webhook', 'make the webhook denies.example.com available'],
  ])('%s', async (_what, port, says, advice) => {
    const namespace = await freshNamespace(controlPlane, 'refusing');
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
    const name = `denies-${namespace}`;
    const webhook = {
      ...{ name: 'denies.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', rules: [rule] },
      clientConfig: {
        url: `https://127.0.0.1:${port()}/`,
        caBundle: Buffer.from(authority.own.certificate).toString('base64'),
      },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    };
    const configuration = {
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
      ...{ metadata: { name }, webhooks: [webhook] },
    };
    await applied(namespace, [configuration]);
    try {
      const refusal = async () => {
        const { stderr } = await controlPlane.kubectl([
          'create',
          'configmap',
          'a',
          '-n',
          namespace,
          '--dry-run=server',
        ]);
        expect(stderr).toContain(says);
        return stderr;
      };
      expect(adviceIn(await vi.waitFor(refusal, { timeout: 120_000, interval: 200 }))).toContain(advice);
    } finally {
      await controlPlane.kubectl(['delete', 'validatingwebhookconfiguration', name]);
    }
  });
});
