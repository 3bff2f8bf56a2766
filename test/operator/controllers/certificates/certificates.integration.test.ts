import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { certificate, clusterIssuer, issuer, trustBundle } from '../../../../crds/index.js';
import {
  type CertificateResource,
  certificateKind,
  clusterIssuerKind,
  issuerKind,
  trustBundleKind,
} from '../../../../imports/index.js';
import { kubeconfig } from '../../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../operator/cluster/kubernetes-cluster.js';
import { defaults } from '../../../../operator/config/config.js';
import { certificateControllers, withClusterNamespace } from '../../../../operator/controllers/certificates/index.js';
import { allowedAddresses } from '../../../../operator/egress/allowed-addresses.js';
import { acme } from '../../../../operator/engines/acme/index.js';
import { certificatePorts } from '../../../../operator/engines/certificates/certificate-ports.js';
import { handshakesFrom } from '../../../../operator/engines/consumers/handshake-source.js';
import { workloadsFrom } from '../../../../operator/engines/consumers/workloads-source.js';
import { dns } from '../../../../operator/engines/dns/index.js';
import type { LiveConfigMap, LiveSecret } from '../../../../operator/runtime/index.js';
import { ConfigMap, type ObjectKind, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../operator/runtime/reconcile/operator.js';
import { ApiServer } from '../../../crds/given-api-server.js';
import { freshNamespace, givenControlPlane } from '../../../given/control-plane.js';
import { givenCertificate, givenClusterIssuer, givenIssuer, givenTrustBundle } from './given-certificates.js';

const stop = new AbortController();
let running: Promise<unknown> = Promise.resolve();
let cluster: KubernetesCluster;
let namespace: string;

beforeAll(async () => {
  const controlPlane = givenControlPlane();
  const server = await ApiServer.at(controlPlane.kubeconfig);
  for (const kind of [issuer, clusterIssuer, certificate, trustBundle]) await server.serve(kind);
  await server.close();
  namespace = await freshNamespace(controlPlane, 'certs');
  cluster = new KubernetesCluster(new Transport(await kubeconfig(controlPlane.kubeconfig)));
  const environment = { config: defaults, clock: systemClock, addresses: allowedAddresses([]) };
  const others = [acme, dns].flatMap((engine) => engine.open(environment).provided);
  const ports = [...certificatePorts(systemClock), workloadsFrom(cluster, systemClock), handshakesFrom(cluster)];
  const operator = new Operator({
    ports: [...ports, ...others],
    ...{ controllers: withClusterNamespace(namespace, certificateControllers) },
    ...{ cluster, clock: systemClock, telemetry: silent, identity: 'test', namespaces: [] },
    ...{ maxConcurrentReconciles: 4, resyncPeriod: 600_000, reconcileTimeout: 120_000, gracefulShutdownTimeout: 5_000 },
  });
  running = operator.run(stop.signal);
}, 120_000);

afterAll(async () => {
  const clusterWide = [
    [clusterIssuerKind, namespace],
    [trustBundleKind, namespace],
  ] as const;
  for (const [kind, name] of clusterWide) {
    const live = await cluster?.read(kind, { name });
    if (live) await cluster.remove(kind, { name }, { uid: live.metadata.uid });
  }
  stop.abort();
  await running;
});

const apply = (kind: ObjectKind, object: Manifest) =>
  cluster.apply(kind, kind.namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object, {
    manager: 'somebody',
  });
const read = async (kind: ObjectKind, name: string) =>
  cluster.read(kind, kind.namespaced ? { namespace, name } : { name });
const until = (kind: ObjectKind, name: string, expected: object) =>
  vi.waitFor(async () => expect(await read(kind, name)).toMatchObject(expected), { timeout: 120_000, interval: 50 });
const ready = {
  status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]) },
};
const textOf = (secret: unknown, key: string) =>
  Buffer.from((secret as LiveSecret).data?.[key] ?? '', 'base64').toString();

it('lines 3, 4: Certificates of an Issuer and a ClusterIssuer are issued on a real API server, and a bundle is published', async () => {
  const selected = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  await apply(issuerKind, givenIssuer({ commonName: 'internal CA' }));
  await apply(
    clusterIssuerKind,
    givenClusterIssuer({ ca: { commonName: 'company CA' }, namespaces: selected }, namespace),
  );
  await apply(certificateKind, givenCertificate());
  const shared = {
    issuer: { name: namespace, kind: 'ClusterIssuer' as const },
    privateKey: { algorithm: 'Ed25519' as const },
  };
  await apply(certificateKind, givenCertificate(shared, 'shared'));
  const sources = [
    { issuer: { name: 'internal', namespace } },
    { issuer: { name: namespace, kind: 'ClusterIssuer' as const } },
  ];
  await apply(
    trustBundleKind,
    givenTrustBundle({ sources, namespaces: selected, target: { configMap: 'cas' } }, namespace),
  );
  for (const name of ['shop', 'shared']) await until(certificateKind, name, ready);
  await until(trustBundleKind, namespace, ready);

  const secrets = [await read(Secret, 'shop-tls'), await read(Secret, 'shared-tls')];
  const bundle = ((await read(ConfigMap, 'cas')) as LiveConfigMap | undefined)?.data?.['ca.crt'];
  expect(bundle).toBe(secrets.map((secret) => textOf(secret, 'ca.crt')).join(''));
  for (const secret of secrets) {
    const [leaf, ca] = [new X509Certificate(textOf(secret, 'tls.crt')), new X509Certificate(textOf(secret, 'ca.crt'))];
    expect([leaf.verify(ca.publicKey), (secret as LiveSecret).type]).toEqual([true, 'kubernetes.io/tls']);
  }

  const before = (await read(certificateKind, 'shop')) as CertificateResource;
  await apply(certificateKind, givenCertificate({ dnsNames: ['other.example.com'] }));
  await until(certificateKind, 'shop', { ...ready, status: { revision: 2, subject: 'other.example.com' } });
  const after = (await read(certificateKind, 'shop')) as CertificateResource;
  expect(after.status?.serialNumber).not.toBe(before.status?.serialNumber);
  expect(new X509Certificate(textOf(await read(Secret, 'shop-tls'), 'tls.crt')).subjectAltName).toBe(
    'DNS:other.example.com',
  );
}, 120_000);
