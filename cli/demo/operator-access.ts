import type { Transport } from '../../operator/cluster/http/transport.js';
import { messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { kubeconfig } from '../../operator/testing/control-plane/kubeconfig.js';

/** The service account that `dist/` installs. */
export const operatorAccount = { namespace: 'reconstruct-system', name: 'reconstruct' } as const;

/** One day. The API server may grant less. */
const tokenSeconds = 86_400;

/** A kubeconfig of the service account, or the reason why there is none. */
export type OperatorAccess = { readonly kubeconfig: string } | { readonly unavailable: string };

/**
 * A kubeconfig of the operator's service account, as text. It gives the operator only the RBAC permissions of `dist/`.
 */
export async function operatorAccess(transport: Transport): Promise<OperatorAccess> {
  const { connection } = transport;
  const { tls } = await connection.credentials();
  if (tls.ca === undefined || tls.servername !== undefined || connection.proxy !== undefined) {
    return { unavailable: 'the connection uses a proxy or tls-server-name, or has no certificate authority' };
  }
  try {
    const token = await tokenOf(transport);
    const url = connection.origin + connection.basePath;
    const user = operatorAccount.name;
    return { kubeconfig: kubeconfig({ url, authority: tls.ca, user, credentials: { token } }) };
  } catch (error) {
    return { unavailable: messageOf(error) };
  }
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/ */
async function tokenOf(transport: Transport): Promise<string> {
  const { namespace, name } = operatorAccount;
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const spec = { expirationSeconds: tokenSeconds };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const { status } = (await transport.json({ method: 'POST', path, body })) as {
    readonly status: { readonly token: string };
  };
  return status.token;
}
