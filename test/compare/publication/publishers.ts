import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../../operator/testing/control-plane/guarded-process.js';
import { install } from '../../e2e/cluster/install.js';
import { applied, kubectl } from '../../e2e/cluster/kubectl.js';
import { allowAddress } from '../../e2e/publication/allow-address.js';
import { contractZone } from '../../operator/engines/dns/contract-zone.js';
import { namedKeys } from '../../operator/engines/dns/named.js';
import type { Contestant } from '../comparison.js';
import { peerProgram } from '../peer-program.js';
import type { DnsSite } from './dns-site.js';

const version = 'v0.21.0';
const [key] = namedKeys;

/** A program that publishes Services in DNS. */
export interface Publisher extends Contestant {
  readonly site: DnsSite;
  /** Starts it for the namespace of the site. @param way which of two that do not know each other */
  start(way: 0 | 1): Promise<void>;
  /** Has Services published under names. @param by the way of the owner */
  publish(names: readonly string[], by: 0 | 1): Promise<void>;
  /** Takes the Services and what was made for them away, and ends its processes. */
  stop(): Promise<void>;
}

/** Processes of this machine that act on the cluster of KUBECONFIG. */
class Processes {
  readonly #all: GuardedProcess[] = [];

  async start(name: string, command: readonly string[]): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), `${name}-`));
    const kubeconfig = `KUBECONFIG=${process.env['KUBECONFIG']}`;
    this.#all.push(new GuardedProcess({ name, command: ['env', kubeconfig, ...command], folder }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.splice(0).map((one) => one.dispose()));
  }
}

/** The operator of `dist/`, with a ServicePublication for each name. */
export function reconstruct(site: DnsSite): Publisher {
  const { namespace } = site;
  return {
    name: 'reconstruct',
    site,
    start: async (way) => {
      // One operator serves both owners, because each publication is an owner.
      if (way === 1) return;
      await install();
      await allowAddress(site.address);
      await applied(keySecret(namespace));
    },
    publish: async (names, by) => {
      for (const some of batches(names)) {
        const services = some.map((name) => site.service(name, by));
        await applied(...services, ...some.map((name) => publication(site, name, by)));
      }
    },
    stop: async () => {
      const own = ['--namespace', namespace];
      await kubectl([...own, 'delete', 'servicepublications', '--all', '--timeout=300s']);
      await kubectl([...own, 'delete', 'services', '--all']);
    },
  };
}

function publication({ namespace, address, ways }: DnsSite, name: string, by: 0 | 1): object {
  const dns = { server: address, port: ways[by].port, zone: contractZone, name, ttl: '30s' };
  const targets = [{ dns: { ...dns, tsigSecretRef: { name: 'ddns' } } }];
  const metadata = { namespace, name: `${name}-${by}` };
  const spec = { service: `${name}-${by}`, targets };
  return { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'ServicePublication', metadata, spec };
}

function keySecret(namespace: string): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'ddns' }, stringData: { ...key } };
}

/** external-dns with the settings of its tutorial for RFC 2136, and with the flags by which it acts on changes of endpoints. */
export function externalDns(site: DnsSite): Publisher {
  const processes = new Processes();
  const { namespace } = site;
  return {
    name: `external-dns ${version}`,
    site,
    start: async (way) => {
      const program = await peerProgram({
        ...{ module: 'sigs.k8s.io/external-dns', version },
        replaced: {
          'provider/factory/provider.go': 'test/compare/publication/external-dns/provider.go',
          'registry/factory/registry.go': 'test/compare/publication/external-dns/registry.go',
        },
      });
      await processes.start('external-dns', [
        ...[
          program,
          `--kubeconfig=${process.env['KUBECONFIG']}`,
          '--source=service',
          `--namespace=${namespace}`,
          '--events',
          '--listen-endpoint-events',
          '--interval=1m',
          '--policy=sync',
        ],
        ...['--registry=txt', `--txt-owner-id=owner-${way}`, '--provider=rfc2136', `--domain-filter=${contractZone}`],
        ...[`--annotation-filter=compared in (owner-${way})`, `--metrics-address=:${await freePort()}`],
        ...[
          `--rfc2136-host=${site.address}`,
          `--rfc2136-port=${site.ways[way].port}`,
          `--rfc2136-zone=${contractZone}`,
        ],
        ...[`--rfc2136-tsig-keyname=${key.name}`, `--rfc2136-tsig-secret=${key.secret}`],
        ...[`--rfc2136-tsig-secret-alg=${key.algorithm}`, '--rfc2136-tsig-axfr', '--log-level=warning'],
      ]);
    },
    publish: async (names, by) => {
      const annotated = (name: string) =>
        site.service(name, by, {
          ...{ 'external-dns.alpha.kubernetes.io/hostname': `${name}.${contractZone}`, compared: `owner-${by}` },
          'external-dns.alpha.kubernetes.io/ttl': '30',
        });
      for (const some of batches(names)) await applied(...some.map(annotated));
    },
    stop: async () => {
      await kubectl(['--namespace', namespace, 'delete', 'services', '--all']);
      await processes.stop();
    },
  };
}

/** Lists that one `kubectl apply` takes. */
function batches<T>(all: readonly T[], size = 250): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
