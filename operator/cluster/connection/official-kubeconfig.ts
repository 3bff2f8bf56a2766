import { type ChildProcess, spawn } from 'node:child_process';
import type { Connection, Credentials } from './connection.js';
import { renewedCredentials } from './renewed-credentials.js';

/**
 * The connection of any kubeconfig, through the official client, which is an optional dependency.
 * @param files merged in this order
 * @param context @default - the current context
 * @throws {Error} if the official client is not installed or cannot read a file
 */
export async function officialKubeconfig(files: readonly string[], context?: string): Promise<Connection> {
  const { KubeConfig } = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new Error(
      'this kubeconfig needs the official client (several files, a plugin, OIDC …): npm install @kubernetes/client-node@1.4.0',
      { cause },
    );
  });
  const [first, ...more] = files.map((file) => {
    const config = new KubeConfig();
    config.loadFromFile(file);
    endHangingPlugins(config);
    return config;
  });
  if (!first) throw new Error('no kubeconfig file was given');
  for (const config of more) first.mergeConfig(config, true);
  if (context !== undefined) {
    const contexts = first.getContexts().map(({ name }) => name);
    if (!contexts.includes(context))
      throw new Error(`the kubeconfig has no context ${context}: choose another context of ${contexts.join(', ')}`);
    first.setCurrentContext(context);
  }
  const cluster = first.getCurrentCluster();
  if (!cluster) throw new Error(`the current context ${first.getCurrentContext()} has no cluster: complete it`);

  const server = new URL(cluster.server);
  return {
    origin: server.origin,
    basePath: server.pathname.replace(/\/$/, ''),
    namespace: first.getContextObject(first.getCurrentContext())?.namespace ?? 'default',
    proxy: cluster.proxyUrl,
    credentials: renewedCredentials(() => ask(first)), // the official client calls a plugin again when its credentials have expired
  };
}

/** How the official client starts a plugin. */
type Start = (command: string, args: readonly string[] | undefined, options: object) => ChildProcess;

/**
 * Milliseconds after which a plugin is terminated. A result until then is used even if it is late, because a person may
 * have to log in.
 */
const longest = 300_000;

/**
 * A plugin that hangs is terminated. Otherwise each retry would leave a process and its pipes behind. The official
 * client offers no way to terminate one, so its own function is replaced.
 */
function endHangingPlugins(config: object): void {
  const { authenticators } = config as { readonly authenticators: readonly { execFn?: Start }[] };
  for (const one of authenticators) if (one.execFn) one.execFn = started;
}

const started: Start = (command, args = [], options) => {
  const plugin = spawn(command, args, options);
  const timer = setTimeout(() => {
    plugin.kill('SIGKILL');
    for (const pipe of plugin.stdio) pipe?.destroy(); // its child processes may keep them open
  }, longest);
  timer.unref();
  plugin.once('close', () => clearTimeout(timer));
  return plugin;
};

/** What the official client would set on a request of its own. */
async function ask(config: { applyToHTTPSOptions(options: object): Promise<void> }): Promise<Credentials> {
  const options: {
    headers?: Record<string, string>;
    auth?: string;
    ca?: Buffer | string;
    cert?: Buffer | string;
    key?: Buffer | string;
    servername?: string;
    rejectUnauthorized?: boolean;
  } = {};
  await config.applyToHTTPSOptions(options).catch((error: unknown) => {
    // The parser's message repeats the output of the plugin, which is secret. So there is no cause either, which would be
    // logged.
    if (error instanceof SyntaxError)
      throw new Error('the plugin printed no ExecCredential: it must print one as JSON');
    throw error;
  });
  const basic = options.auth && `Basic ${Buffer.from(options.auth).toString('base64')}`;
  return {
    as: options.headers?.['Impersonate-User'],
    authorization: options.headers?.['Authorization']?.trim() ?? basic, // for a file it includes the trailing newline
    tls: {
      ca: options.ca?.toString(),
      cert: options.cert?.toString(),
      key: options.key?.toString(),
      servername: options.servername,
      rejectUnauthorized: options.rejectUnauthorized,
    },
  };
}
