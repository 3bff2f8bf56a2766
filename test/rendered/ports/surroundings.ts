import { Secret } from '../../../operator/index.js';
import { fingerprintOf } from './generators.js';
import type { Asked, Systems } from './system.js';

/** What is asked about the cluster itself: workloads that roll at once, ports that serve. */
export function inCluster(): Systems {
  const hashes = new Map<string, string>();
  return {
    'reconstruct/gone-nodes': { answer: () => ({ gone: [] }) },
    'reconstruct/workloads': {
      answer: ({ namespace, annotation, hash, workloads }) => ({
        hash,
        states: workloads.map(({ kind, name }: Asked) => {
          const key = `${namespace} ${kind} ${name} ${annotation}`;
          return { kind, name, uid: `uid of ${key}`, phase: hashes.get(key) === hash ? 'Current' : 'Outdated' };
        }),
      }),
      perform: ({ namespace, annotation, hash, workloads }) => {
        for (const { kind, name } of workloads) hashes.set(`${namespace} ${kind} ${name} ${annotation}`, hash);
      },
    },
    'reconstruct/handshakes': {
      answer: ({ namespace, ports, serverName }, { objects }) => {
        const certificates = objects(Secret)
          .filter(({ metadata }) => metadata.namespace === namespace)
          .map(({ data }) => Buffer.from(data?.['tls.crt'] ?? '', 'base64').toString());
        const served = certificates.find((pem) => serverName !== undefined && pem.startsWith('-----BEGIN'));
        const endpoints = served ? { '10.0.0.1:443': { fingerprint: fingerprintOf(served) } } : {};
        return { ports: ports.map((port: Asked) => ({ ...port, exists: true, endpoints })) };
      },
    },
  };
}
