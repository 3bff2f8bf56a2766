import type { Transport } from './http/transport.js';

/** The API server's decision about a request of a token's bearer. */
export type AccessReview = 'allowed' | 'unknown' | 'forbidden';

interface TokenStatus {
  readonly authenticated?: boolean;
  readonly user?: { readonly username?: string; readonly uid?: string; readonly groups?: readonly string[] };
}

/**
 * Asks the API server whether the bearer of a token may `get` a path. The token is sent only in the body and appears in
 * no error message.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#webhook-token-authentication
 */
export async function reviewAccess(transport: Transport, token: string, path: string): Promise<AccessReview> {
  const { authenticated, user } = await review<TokenStatus>(transport, 'authentication', 'TokenReview', { token });
  if (!authenticated || !user) return 'unknown';
  const { username, uid, groups } = user;
  const wish = { user: username, uid, groups, nonResourceAttributes: { path, verb: 'get' } };
  const { allowed } = await review<{ allowed?: boolean }>(transport, 'authorization', 'SubjectAccessReview', wish);
  return allowed ? 'allowed' : 'forbidden';
}

async function review<T>(transport: Transport, group: string, kind: string, spec: object): Promise<Partial<T>> {
  const apiGroup = `${group}.k8s.io/v1`;
  const answer = (await transport.json({
    method: 'POST',
    path: `/apis/${apiGroup}/${kind.toLowerCase()}s`,
    body: { apiVersion: apiGroup, kind, spec },
  })) as { readonly status?: Partial<T> };
  return answer.status ?? {};
}
