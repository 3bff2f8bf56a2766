import type { CertifiedKey } from '../../certificates/authority.js';
import { stringifyYaml } from '../../yaml/stringify-yaml.js';

/** The content of a kubeconfig for one user of one cluster. */
export interface KubeconfigProps {
  readonly url: string;
  /** CA certificate, PEM. */
  readonly authority: string;
  readonly user: string;
  readonly credentials: CertifiedKey | { readonly token: string };
}

/** A kubeconfig with inline certificates, so that the file can be copied anywhere. */
export function kubeconfig({ url, authority, user, credentials }: KubeconfigProps): string {
  const cluster = 'reconstruct';
  return stringifyYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server: url, 'certificate-authority-data': base64(authority) } }],
    users: [{ name: user, user: userFields(credentials) }],
    contexts: [{ name: cluster, context: { cluster, user } }],
    'current-context': cluster,
  });
}

function userFields(credentials: KubeconfigProps['credentials']): object {
  if ('token' in credentials) return { token: credentials.token };
  return {
    'client-certificate-data': base64(credentials.certificate),
    'client-key-data': base64(credentials.key),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
