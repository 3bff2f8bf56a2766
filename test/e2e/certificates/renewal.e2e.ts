import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CertificateResource, certificateKind } from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { serverImage } from '../../images/project-images.js';
import { figure, seconds } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { applied, kubectl } from '../cluster/kubectl.js';

const namespace = givenNamespace('renewal');
const apiVersion = 'reconstruct.dev/v1alpha1';
const renewals = 10;
/** Seconds between two renewals: long enough to roll two Pods. */
const period = 45;

interface Totals {
  readonly handshakes: number;
  readonly requests: number;
  readonly failures: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly serials: Readonly<Record<string, string>>;
}

/** A Deployment of Pods that run a program with the files of the Secret. */
function running(name: string, program: string, env: Readonly<Record<string, string>> = {}, replicas = 2): object {
  const labels = { app: name };
  const container = {
    ...{ name: 'node', image: serverImage('1.0.0'), command: ['/usr/local/bin/node', `/program/${program}`] },
    env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
    ...(program === 'server.mjs' && { readinessProbe: { tcpSocket: { port: 8443 }, periodSeconds: 1 } }),
    volumeMounts: [
      { name: 'program', mountPath: '/program' },
      { name: 'shop', mountPath: '/etc/shop' },
    ],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
  const spec = {
    ...{ automountServiceAccountToken: false, terminationGracePeriodSeconds: 20, containers: [container] },
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
    volumes: [
      { name: 'program', configMap: { name: 'programs' } },
      { name: 'shop', secret: { secretName: 'shop-tls' } },
    ],
  };
  const strategy = { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name } },
    spec: { replicas, selector: { matchLabels: labels }, strategy, template: { metadata: { labels }, spec } },
  };
}

function service(name: string): object {
  const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { namespace, name } },
    spec: { selector: { app: name }, ports },
  };
}

/** A certificate of five minutes. @param renewAfter seconds */
function certificate(renewAfter: number): object {
  const consumers = [
    { deployment: 'rolled' },
    { service: 'rolled', port: 443 },
    { deployment: 'reloaded', reload: 'None' },
    { service: 'reloaded', port: 443 },
  ];
  const spec = {
    ...{ secretName: 'shop-tls', issuer: { name: 'internal' }, dnsNames: ['shop.example.com'], consumers },
    ...{ duration: '5m', renewBefore: `${300 - renewAfter}s` },
  };
  return { apiVersion, kind: 'Certificate', metadata: { namespace, name: 'shop' }, spec };
}

const live = async () => (await read(certificateKind, { namespace, name: 'shop' })) as CertificateResource | undefined;
const revision = async () => (await live())?.status?.revision ?? 0;
const adopted = async () => {
  const found = (await live())?.status?.conditions?.find(({ type }) => type === 'Adopted');
  return `${found?.reason}: ${found?.message}`;
};
const totals = async (): Promise<Totals> => {
  const lines = await kubectl(['--namespace', namespace, 'logs', 'deployment/client', '--tail=1']);
  return JSON.parse(lines || '{"handshakes":0,"requests":0,"failures":0,"reasons":{},"serials":{}}') as Totals;
};
const waitFor = (what: string, isSo: () => Promise<boolean>, within = 120) =>
  until(isSo, { what, within: within * 1000 * slower, every: 500 });

describe(`line 1: servers whose certificate is renewed ${renewals} times`, () => {
  beforeAll(async () => {
    const names = ['server.mjs', 'client.mjs'];
    const texts = names.map(async (name) => [name, await readFile(`test/e2e/certificates/${name}`, 'utf8')] as const);
    const data = Object.fromEntries(await Promise.all(texts));
    await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'programs' }, data });
    const issuer = { apiVersion, kind: 'Issuer', metadata: { namespace, name: 'internal' } };
    await applied({ ...issuer, spec: { ca: { commonName: 'internal CA' } } }, certificate(240));
    await applied(service('rolled'), service('reloaded'));
    await applied(running('rolled', 'server.mjs'), running('reloaded', 'server.mjs', { RELOAD: 'files' }));
    await waitFor('each consumer has the first certificate', async () => (await adopted()).startsWith('Current'), 200);
    await applied(running('client', 'client.mjs', { SERVERS: 'rolled,reloaded' }, 1));
    await waitFor(
      'the client shakes hands',
      async () => (await totals().catch(() => undefined))?.handshakes !== undefined,
    );
  });

  it(
    'serve every handshake and every request, and end on the last serial number',
    async () => {
      const began = Date.now();
      const first = await revision();
      await applied(certificate(period));
      const isRenewed = async () => (await revision()) >= first + renewals;
      await waitFor(`${renewals} renewals`, isRenewed, 2 * period * renewals);
      const renewed = Date.now();
      // No further renewal for some minutes, in which the kubelet replaces the files.
      await applied(certificate(240));
      await waitFor('each consumer has the last certificate', async () => (await adopted()).startsWith('Current'), 200);
      const { serialNumber, consumers } = (await live())?.status ?? {};
      expect(consumers).toBe('4/4');
      const isLast = async () => Object.values((await totals()).serials).every((one) => one === serialNumber);
      await waitFor('the client gets the last serial number', isLast, 10);
      const { handshakes, requests, failures, reasons, serials } = await totals();
      figure(
        1,
        `${handshakes} handshakes and ${requests} requests in ${seconds(began, Date.now())}, ${failures} failures`,
      );
      figure(1, `the last of ${renewals} renewals was with every consumer after ${seconds(renewed, Date.now())}`);
      expect({ failures, reasons }).toEqual({ failures: 0, reasons: {} });
      expect(Object.keys(serials).toSorted()).toEqual(['reloaded', 'rolled']);
      // 50 a second with each of two servers, of which a busy machine makes fewer.
      expect(handshakes).toBeGreaterThan(renewals * period * 10);
    },
    1_200_000 * slower,
  );
});
