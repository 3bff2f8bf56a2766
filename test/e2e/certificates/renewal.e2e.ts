import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CertificateResource,
  certificateKind,
  type IssuerResource,
  issuerKind,
  trustBundleKind,
} from '../../../imports/index.js';
import { ConfigMap } from '../../../operator/index.js';
import { conditionOf } from '../../../operator/runtime/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { operatorPods } from '../cluster/operator-pods.js';
import { leaksOf } from './leaks.js';
import { consumers, serverNames, startClient, startServers, type Totals, totals } from './site.js';

const namespace = givenNamespace('renewal');
const logs = new FollowedLogs(operatorPods);
afterAll(() => logs[Symbol.asyncDispose]());
const apiVersion = 'reconstruct.dev/v1alpha1';
/** More for a long run. */
const renewals = Number(process.env['RECONSTRUCT_E2E_RENEWALS'] ?? 10);
/** Seconds between two renewals. */
const period = Number(process.env['RECONSTRUCT_E2E_PERIOD'] ?? 15);
/** Seconds of a certificate's validity, the least. */
const duration = 300;

function issuer(commonName: string): object {
  // A new CA signs after a tenth of `renewBefore`, in which the kubelet brings the bundle to every client.
  const ca = { commonName, duration: '6h', renewBefore: '20m' };
  return { apiVersion, kind: 'Issuer', metadata: { namespace, name: 'internal' }, spec: { ca } };
}

/** @param renewAfter seconds */
function certificate(renewAfter: number): object {
  const names = { secretName: 'shop-tls', issuer: { name: 'internal' }, dnsNames: ['shop.example.com'] };
  const times = { duration: `${duration}s`, renewBefore: `${duration - renewAfter}s` };
  const spec = { ...names, ...times, consumers };
  return { apiVersion, kind: 'Certificate', metadata: { namespace, name: 'shop' }, spec };
}

function trustBundle(name: string, configMap: string, ...more: readonly object[]) {
  const spec = {
    sources: [...more, { issuer: { name: 'internal', namespace } }],
    namespaces: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    target: { configMap },
  };
  return { apiVersion, kind: 'TrustBundle', metadata: { name }, spec };
}
const bundle = trustBundle(namespace, 'shop-cas');
/** A bundle with two sources that fail. */
const partners = `${namespace}-partners`;
const failing = trustBundle(
  partners,
  'partner-cas',
  { configMap: { name: 'none', namespace, key: 'ca.crt' } },
  { inline: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
);

const live = async () => (await read(certificateKind, { namespace, name: 'shop' })) as CertificateResource | undefined;
const liveIssuer = async () => (await read(issuerKind, { namespace, name: 'internal' })) as IssuerResource | undefined;
const revision = async () => (await live())?.status?.revision ?? 0;
type Conditions = {
  readonly status?: { readonly conditions?: readonly { type: string; reason: string; message: string }[] };
};
/** The conditions as they were read last. */
const latest = new Map<string, string>();
const told = (of: Conditions | undefined, type: string) => {
  const found = conditionOf(of, type);
  latest.set(type, `${found?.reason}: ${found?.message}`);
  return found?.reason ?? '';
};
const adopted = async () => told((await live()) as Conditions | undefined, 'Adopted');
const rolledOver = async () => told((await liveIssuer()) as Conditions | undefined, 'RolledOver');
const trusted = async (name = 'shop-cas') => {
  const found = (await read(ConfigMap, { namespace, name })) as { readonly data?: Record<string, string> };
  return (found?.data?.['ca.crt'] ?? '').split('-----BEGIN').length - 1;
};
const synced = async () => {
  told((await read(trustBundleKind, { name: partners })) as Conditions | undefined, 'Synced');
  return latest.get('Synced');
};
const waitFor = (what: string, isSo: () => Promise<boolean>, within = 120) =>
  until(isSo, { what, within: within * 1000 * slower, every: 500, instead: () => [...latest].join('; ') });
const isAdopted = async () => (await adopted()) === 'Current';
const isRolledOver = async () => (await rolledOver()) === 'UpToDate';

async function presentTotals(): Promise<Totals> {
  const present = await totals(namespace);
  if (!present) throw new Error('the client has no totals');
  return present;
}

describe(`lines 1, 5 and 8: nginx, HAProxy and Node.js with a certificate that is renewed ${renewals} times`, () => {
  beforeAll(async () => {
    await applied(issuer('first CA'), bundle, failing, certificate(240));
    await startServers(namespace);
    for (const name of serverNames)
      await kubectl(['--namespace', namespace, 'rollout', 'status', `deployment/${name}`, '--timeout=200s']);
    await startClient(namespace);
    const seen = async () => Object.keys((await totals(namespace))?.serials ?? {}).length;
    await waitFor('the client shakes hands', async () => (await seen()) === serverNames.length);
  });
  afterAll(async () => {
    await kubectl(['delete', 'rbundle', namespace, partners, '--wait=false']);
  });

  it(
    'accept every handshake and request meanwhile',
    async () => {
      const began = Date.now();
      const first = await revision();
      await applied(certificate(period));
      await waitFor(`${renewals} renewals`, async () => (await revision()) >= first + renewals, 4 * period * renewals);
      const { handshakes, requests, reopened, failures, reasons, serials } = await presentTotals();
      figure(
        1,
        `${handshakes} handshakes, ${requests} requests in ${seconds(began, Date.now())}, ${failures} failures`,
      );
      figure(1, `${reopened} connections were closed between two requests`);
      const seen = Object.entries(serials).map(([server, { different }]) => `${server} ${different}`);
      figure(8, `certificates that the client saw: ${seen.join(', ')}`);
      expect({ failures, reasons }).toEqual({ failures: 0, reasons: {} });
      // The client falls behind on a busy machine. Fewer would not show that a reload loses connections.
      const least = 20 * ((Date.now() - began) / 1000);
      expect(handshakes).toBeGreaterThan(least);
      for (const [server, { different }] of Object.entries(serials))
        expect({ server, renewed: different > renewals / 2 }).toEqual({ server, renewed: true });
    },
    (300_000 + 4_000 * period * renewals) * slower,
  );

  it(
    'accept every handshake while the CA rolls over, and end on its certificate and its bundle',
    async () => {
      const began = Date.now();
      const before = (await liveIssuer())?.status?.fingerprint;
      // No further renewal for some minutes, in which the kubelet replaces the files.
      await applied(certificate(240), issuer('second CA'));
      await waitFor('both CAs are published', async () => (await trusted()) === 2, 60);
      await waitFor('so they are beside sources that fail', async () => (await trusted('partner-cas')) === 2, 60);
      expect(await synced()).toMatch(/spec\.sources\[0\].* does not exist.*spec\.sources\[1\].* no certificate/);
      const published = Date.now();
      const hasNew = async () => (await liveIssuer())?.status?.fingerprint !== before;
      await waitFor('the next CA signs', hasNew, 400);
      const signs = Date.now();
      await waitFor('the earlier CA is gone', async () => (await isRolledOver()) && (await trusted()) === 1, 700);
      const times = [seconds(began, published), seconds(published, signs), seconds(signs, Date.now())];
      figure(5, `both CAs published after ${times[0]}, the next one signs ${times[1]} later, alone ${times[2]} later`);
      const isLast = async () => {
        const serial = (await live())?.status?.serialNumber;
        return Object.values((await presentTotals()).serials).every(({ latest: seen }) => seen === serial);
      };
      await waitFor('the client gets the last serial number', isLast);
      const { handshakes, failures, reasons } = await presentTotals();
      figure(5, `${handshakes} handshakes in all, ${failures} failures`);
      expect({ failures, reasons }).toEqual({ failures: 0, reasons: {} });
      await waitFor('each consumer has the last certificate', isAdopted, 200);
      expect((await live())?.status?.consumers).toBe('8/8');
    },
    1_300_000 * slower,
  );

  it('line 11: have no key in an object, an event, a log or a metric', async () => {
    expect(await leaksOf(namespace, logs)).toEqual([]);
  });
});
