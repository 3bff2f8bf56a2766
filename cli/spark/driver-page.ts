import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { sparkPorts } from '../../src/index.js';
import type { AccessOptions } from '../cluster/access-options.js';
import { hasKubectl } from '../cluster/shell-access.js';

/** The local port to the page of a driver. */
export interface DriverPageOptions {
  readonly access: AccessOptions;
  /** Port of this machine. */
  readonly port: number;
  /** Folders with kubectl, separated as in PATH. @default - PATH */
  readonly path?: string | undefined;
  readonly print: (line: string) => void;
}

/** The arguments of kubectl that forward a local port to the page of a driver. */
export function forwardArguments(
  { namespace, name }: ObjectName,
  { access, port }: Pick<DriverPageOptions, 'access' | 'port'>,
) {
  const { kubeconfig, context } = access;
  return [
    ...['port-forward', `pod/${name}`, `${port}:${sparkPorts.ui}`, `--namespace=${namespace}`],
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${resolve(kubeconfig)}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
  ];
}

/**
 * Forwards a port until Ctrl-C, or until the driver ends.
 * @returns 0 after Ctrl-C, and 1 if kubectl fails or loses the driver
 * @throws {Error} if there is no kubectl
 */
export async function forwardDriverPage(pod: ObjectName, options: DriverPageOptions): Promise<number> {
  const { port, path = process.env['PATH'], print } = options;
  if (!(await hasKubectl(path)))
    throw new Error(
      `kubectl is not in PATH: install it, because reconstruct spark ui runs kubectl port-forward to Pod ${pod.name}`,
    );
  print(`http://localhost:${port}/ is the page of Pod ${pod.name} until this command ends`);
  const kubectl = spawn('kubectl', forwardArguments(pod, options), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: path },
  });
  let isAsked = false;
  const stop = (signal: NodeJS.Signals) => {
    isAsked = true;
    kubectl.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  try {
    const code = await new Promise<number | null>((done, fail) => kubectl.once('exit', done).once('error', fail));
    return isAsked || code === 0 ? 0 : 1;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}
