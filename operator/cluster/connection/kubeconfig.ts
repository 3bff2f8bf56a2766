import { readFile } from 'node:fs/promises';
import { delimiter, dirname, resolve } from 'node:path';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import { parseYaml, YamlError } from '../../yaml/parse-yaml.js';
import type { Connection, Credentials } from './connection.js';
import { renewedCredentials } from './renewed-credentials.js';

interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly contexts?: readonly { name: string; context: { cluster: string; user: string; namespace?: string } }[];
  readonly clusters?: readonly { name: string; cluster: ClusterEntry }[];
  readonly users?: readonly { name: string; user: UserEntry }[];
}

interface ClusterEntry {
  readonly server: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

/** The user fields that are read here. The official client reads kubeconfigs with other fields. */
interface UserEntry {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

const plainUserFields = [
  ...['client-certificate', 'client-certificate-data', 'client-key', 'client-key-data'],
  ...['token', 'tokenFile'],
];

/**
 * The connection of a kubeconfig's context.
 *
 * One file with certificates or a token is read here. All other features of kubeconfigs (several files, exec plugins,
 * OIDC, impersonation) are left to the official client, which takes 0.4 s and 75 MB to load.
 * @param paths one or more files, as in `KUBECONFIG`
 * @param context @default - the current context
 * @throws {Error} if a file cannot be read or the context is incomplete
 */
export async function kubeconfig(paths: string, context?: string): Promise<Connection> {
  const files = paths.split(delimiter).filter((path) => path !== '');
  const [file] = files;
  if (file === undefined) throw new Error('KUBECONFIG names no file: set it to the path of a kubeconfig');
  if (files.length > 1) return theLongWay(files, context); // only one of several files may be incomplete
  const config = parsed(await readText(file, 'the kubeconfig'), file);
  const { cluster, user, namespace } = chosen(config ?? {}, file, context);
  const lost = Object.keys(user).find((field) => field.startsWith('as-'));
  if (lost !== undefined) throw new Error(`${file} sets ${lost}, which is not supported: remove it`);
  if (!Object.keys(user).every((field) => plainUserFields.includes(field))) return theLongWay(files, context);
  const server = new URL(cluster.server);
  const credentials = renewedCredentials(() => plainCredentials(cluster, user, dirname(file)));
  await credentials();
  return {
    origin: server.origin,
    basePath: server.pathname.replace(/\/$/, ''),
    namespace: namespace ?? 'default',
    proxy: cluster['proxy-url'],
    credentials,
  };
}

async function theLongWay(files: readonly string[], context: string | undefined): Promise<Connection> {
  const { officialKubeconfig } = await import('./official-kubeconfig.js');
  return officialKubeconfig(files, context);
}

/** A parse error is reported only by its line number, because the line may hold a token. */
function parsed(text: string, file: string): Kubeconfig | null {
  try {
    return parseYaml(text) as Kubeconfig | null;
  } catch (error) {
    throw new Error(`${file} is not valid YAML at line ${error instanceof YamlError ? error.line : 1}: fix it`);
  }
}

/** The cluster, the user and the namespace of a context. @throws {Error} if the context is incomplete */
function chosen(config: Kubeconfig, file: string, asked: string | undefined) {
  const named = <T extends { name: string }>(
    list: readonly T[] | undefined,
    name: string | undefined,
    what: string,
  ): T => {
    if (name === undefined)
      throw new Error(`${file} has no current-context: set it to the name of one of its contexts`);
    const found = list?.find((entry) => entry.name === name);
    if (!found) throw new Error(`${file} has no ${what} ${name}: ${remedy}`);
    return found;
  };
  const contexts = (config.contexts ?? []).map(({ name }) => name).join(', ');
  const remedy =
    asked === undefined ? 'set current-context to a complete one' : `choose another context of ${contexts}`;
  const { context } = named(config.contexts, asked ?? config['current-context'], 'context');
  const { cluster } = named(config.clusters, context.cluster, 'cluster');
  const { user } = named(config.users, context.user, 'user');
  return { cluster, user: user ?? {}, namespace: context.namespace };
}

async function plainCredentials(cluster: ClusterEntry, user: UserEntry, folder: string): Promise<Credentials> {
  const pem = async (data: string | undefined, file: string | undefined) => {
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
    return file === undefined ? undefined : readText(resolve(folder, file));
  };
  const token = user.tokenFile === undefined ? user.token : await readText(resolve(folder, user.tokenFile));
  return {
    authorization: token === undefined ? undefined : `Bearer ${token.trim()}`,
    tls: {
      ca: await pem(cluster['certificate-authority-data'], cluster['certificate-authority']),
      cert: await pem(user['client-certificate-data'], user['client-certificate']),
      key: await pem(user['client-key-data'], user['client-key']),
      servername: cluster['tls-server-name'],
      rejectUnauthorized: cluster['insecure-skip-tls-verify'] ? false : undefined,
    },
  };
}

async function readText(path: string, who = 'which the kubeconfig needs'): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`cannot read ${path}, ${who}: ${messageOf(cause)}`, { cause });
  });
}
