import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from './connection.js';
import { renewed } from './renewed.js';

/** Where the kubelet puts a service account's token. */
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InCluster {
  /** `KUBERNETES_SERVICE_HOST` */
  readonly host: string;
  /** `KUBERNETES_SERVICE_PORT` */
  readonly port: string;
  /** @default - the folder of the pod's service account */
  readonly folder?: string;
  /** Milliseconds, monotonic. @default performance.now */
  readonly monotonic?: () => number;
}

/** The connection of a pod, with the token and the authority of its service account. */
export async function inCluster({ host, port, folder = serviceAccount, monotonic }: InCluster): Promise<Connection> {
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  const credentials = renewed(async () => {
    const [token, ca] = await Promise.all([read('token'), read('ca.crt')]);
    return { authorization: `Bearer ${token}`, tls: { ca } };
  }, monotonic);
  await credentials();
  const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { origin, basePath: '', namespace: await read('namespace'), credentials };
}
