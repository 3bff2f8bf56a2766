import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Credentials } from './connection.js';

/** Where the kubelet puts a service account's token. */
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Milliseconds for which a token is used: the kubelet replaces it in time. */
const tokenLasts = 60_000;

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
  const clock = monotonic ?? (() => performance.now());
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  let kept: { credentials: Credentials; at: number } | undefined;
  const credentials = async () => {
    if (kept && clock() - kept.at < tokenLasts) return kept.credentials;
    const [token, ca] = await Promise.all([read('token'), read('ca.crt')]);
    const tls = kept?.credentials.tls.ca === ca ? kept.credentials.tls : { ca };
    kept = { credentials: { authorization: `Bearer ${token}`, tls }, at: clock() };
    return kept.credentials;
  };
  await credentials();
  const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { origin, basePath: '', namespace: await read('namespace'), credentials };
}
