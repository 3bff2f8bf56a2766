import { etcdHost } from '../../../src/index.js';
import { KeyWriter } from '../client/key-writer.js';
import { kubectl } from '../cluster/kubectl.js';

/** An EtcdCluster that is written to. */
export interface Site {
  readonly namespace: string;
  /** The name of the EtcdCluster. */
  readonly cluster: string;
  /** The machine of the client, which no test stops. */
  readonly node: string;
}

/** The members that an EtcdCluster can have during a test, by their number. */
const members = 9;

/** Starts a client that writes numbered keys with the certificate for clients. */
export function startWriter({ namespace, cluster, node }: Site): Promise<KeyWriter> {
  const hosts = Array.from({ length: members }, (_, index) =>
    etcdHost(`${cluster}-${index + 1}`, { name: cluster, namespace }),
  );
  return KeyWriter.start({
    ...{ namespace, node, script: 'test/e2e/etcd/writer.mjs' },
    env: { HOSTS: hosts.join(',') },
    secrets: { '/certificate': `${cluster}-client-tls` },
  });
}

/** All numbers that are in the store, read by a member. */
export async function readAll(namespace: string, member: string): Promise<ReadonlySet<string>> {
  const read = ['etcdctl', 'get', 'written/', '--prefix', '--keys-only', '--command-timeout=30s'];
  const keys = await kubectl(['--namespace', namespace, 'exec', member, '--', ...read]);
  return new Set(keys.split('\n').flatMap((key) => /^written\/(\d+)$/.exec(key)?.[1] ?? []));
}
